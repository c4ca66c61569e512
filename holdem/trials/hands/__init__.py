"""Complete hands of Hold'em: simulation, statistics and output files."""

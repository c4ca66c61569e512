"""Long-running work: threads, processes, ordered results, deadlines, progress and Ctrl-C."""

"""Long-running work: threads, ordered results, deadlines, progress and Ctrl-C."""

"""Long-running work: worker threads and processes, ordered results, deadlines, progress, Ctrl-C."""

"""Long-running work: worker threads, and the loop with deadlines, progress and Ctrl-C."""

"""Long-running work: worker threads, and the loop that handles deadlines, progress and Ctrl-C."""

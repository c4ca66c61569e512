"""Long-running work: the loop of tasks, worker threads, deadlines, progress and Ctrl-C.

`run` is the only loop that runs tasks; `workers` are threads that leave Ctrl-C to the main thread.
"""

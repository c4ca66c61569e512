"""Long-running work: the loop of tasks, worker threads, deadlines, progress and Ctrl-C.

`run` contains the loop that runs the tasks of all jobs. `workers` starts threads, so that the main
thread can react to Ctrl-C. `stopwatch` measures time without the compilation of kernels.
`requests` are calls of tasks that can be made in another process.
"""

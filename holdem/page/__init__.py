"""The page in the browser: an HTTP server on this machine, and the files of the page.

`server` accepts connections, `handler` refuses or serves requests, `questions` computes answers.
The page itself is in `static`: HTML, style sheets and modules, sent as they are.
"""

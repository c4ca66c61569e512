"""The page in the browser: an HTTP server on this machine, and the page's files.

`server` accepts connections, `handler` refuses or serves requests, `answers` computes answers.
The page itself is in `static`: HTML, style sheets and modules, sent as they are.
"""

#: The port if none is given. Browsers keep saved ranges by address, which includes the port.
DEFAULT_PORT = 8463

"""The page in the browser: an HTTP server on this machine, and the page's files.

`server` accepts connections, `handler` answers or refuses requests, and `watcher` ends the work on
a request that takes too long or whose client has disconnected. `answers` computes answers with the
functions that the command line uses, and `refusals` turns errors into responses. ``static/``
contains HTML, style sheets and JavaScript modules: ``state.js`` holds the current question, and
enters changes in the browser's history, so that the back button undoes them; ``answer.js`` asks the
server, and knows which answers belong to the current question; the other modules draw the page, and
``answers/`` has a module for each report. Each script and style sheet begins with a comment that
says what it is for. `range_editor` and `range_widget` show the range grid in a notebook.
"""

#: The port if none is given. Browsers keep saved ranges by address, which includes the port.
DEFAULT_PORT = 8463

"""The page in the browser: an HTTP server on this machine, and the page's files.

`server` accepts connections, `handler` answers or refuses a request, and `watcher` ends the work
for clients that have gone. `answers` makes JSON with the functions that the command line uses, and
`refusals` turns errors into responses. ``static/`` contains HTML, style sheets and JavaScript
modules, which are sent as they are: ``state.js`` holds the question, which the browser's history
undoes, ``answer.js`` asks the server and knows which answers are of the present question, and the
others draw; ``answers/`` has a module for each report. Each script and style sheet begins with a
comment that says what it is for. `range_editor` and `range_widget` are the grid in a notebook.
"""

#: The port if none is given. Browsers keep saved ranges by address, which includes the port.
DEFAULT_PORT = 8463

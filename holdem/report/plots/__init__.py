"""Charts of results, drawn with matplotlib (extra ``plot``).

`charts` builds charts with bars or curves, and `heat_maps` charts of coloured cells. `figures`
draws charts on axes and in files, and defines their style and legends.

Raises:
    HoldemRuntimeError: on import, if matplotlib is not installed.
"""

from holdem.optional_packages import import_package

import_package("matplotlib", "charts need matplotlib")

"""Colour scales of heat maps, for notebooks and for charts.

The scales are those of ColorBrewer (Harrower and Brewer, 2003), which readers with any common
colour-blindness can tell apart, and which keep their order in grey print.
"""

from __future__ import annotations

from typing import Final, TypeAlias

#: Colours at equal steps from 0 to 1, as ``#rrggbb``.
Scale: TypeAlias = tuple[str, ...]

#: From pale to dark, for weights, which begin at zero: the middle of YlGnBu. Its pale end would
#: vanish on white pages, and small text is hard to read on its dark end.
SEQUENTIAL: Final[Scale] = ("#edf8b1", "#c7e9b4", "#7fcdbb", "#41b6c4", "#2f9bcb")
#: From red over white to blue, RdBu, for equities, whose middle is 50 %, and for changes, whose
#: middle is zero.
DIVERGING: Final[Scale] = (
    *("#67001f", "#b2182b", "#d6604d", "#f4a582", "#fddbc7", "#f7f7f7"),
    *("#d1e5f0", "#92c5de", "#4393c3", "#2166ac", "#053061"),
)
#: For wins, ties and losses: greys, which are no player's colour, from dark to pale.
OUTCOMES: Final = ("#2f3e46", "#84979f", "#c3cdd2")
_BRIGHT = 0.179  # relative luminance above which black has the greater contrast


def colour_at(scale: Scale, position: float) -> str:
    """Interpolate a colour scale linearly at a position from 0 to 1, as ``#rrggbb``."""
    step = min(max(position, 0.0), 1.0) * (len(scale) - 1)
    first = min(int(step), len(scale) - 2)
    pairs = zip(_channels(scale[first]), _channels(scale[first + 1]), strict=True)
    mixed = (round(low + (high - low) * (step - first)) for low, high in pairs)
    return "#" + "".join(f"{channel:02x}" for channel in mixed)


def ink_on(colour: str) -> str:
    """Choose black or white, whichever is easier to read on a colour, as ``#rrggbb``.

    The contrast ratio is at least 4.5, by the definition of WCAG 2.
    """
    linear = (
        share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4
        for share in (channel / 255 for channel in _channels(colour))
    )
    luminance = sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
    return "#000000" if luminance > _BRIGHT else "#ffffff"


def _channels(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[start : start + 2], 16) for start in (1, 3, 5))

"""What the pixels of a page show: luminances at points of its elements, and their contrast."""

import io

import numpy as np
from PIL import Image

#: What parts of a control must have beside each other (WCAG 2.2, success criterion 1.4.11).
LEAST_CONTRAST = 3.0


class Pixels:
    """The pixels of a page as it is now."""

    def __init__(self, page):
        image = Image.open(io.BytesIO(page.screenshot()))
        self._pixels = np.asarray(image.convert("RGB"), dtype=float) / 255

    def at(self, element, across, down):
        """Return the luminance at a point of an element, given in parts of its box."""
        box = element.bounding_box()
        return self._luminance(box["x"] + across * box["width"], box["y"] + down * box["height"])

    def box(self, box):
        """Return all luminances of a box, rows by columns."""
        left, top = int(box["x"]), int(box["y"])
        right, bottom = int(box["x"] + box["width"]) + 1, int(box["y"] + box["height"]) + 1
        return self._luminances(self._pixels[top:bottom, left:right])

    def above_bottom(self, element, distance):
        """Return the luminance in the middle of an element, some pixels above its bottom."""
        box = element.bounding_box()
        return self._luminance(box["x"] + box["width"] / 2, box["y"] + box["height"] - distance)

    def above_bottom_left(self, element, distance):
        """Return the luminance near the left edge of an element, some pixels above its bottom."""
        box = element.bounding_box()
        return self._luminance(box["x"] + 5, box["y"] + box["height"] - distance)

    def column(self, element, across):
        """Return all luminances of a column of an element, from top to bottom."""
        height = element.bounding_box()["height"]
        return [self.at(element, across, (y + 0.5) / height) for y in range(int(height))]

    def _luminance(self, x, y):
        return self._luminances(self._pixels[int(y), int(x)])

    @staticmethod
    def _luminances(colours):
        linear = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
        return linear @ [0.2126, 0.7152, 0.0722]


def contrast(first, second):
    """Return the contrast ratio of two luminances, 1 to 21."""
    return (max(first, second) + 0.05) / (min(first, second) + 0.05)

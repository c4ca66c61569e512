"""Base classes of results (`Result`) and of objects that have a chart (`Plottable`)."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

import attrs
import numpy as np

if TYPE_CHECKING:
    from holdem.report.model import Report


def have_equal_fields(one: Any, other: Any) -> bool:
    """Test whether two attrs objects of one class have equal fields; NaN in arrays equals NaN."""
    pairs = (
        (getattr(one, field.name), getattr(other, field.name)) for field in attrs.fields(type(one))
    )
    return all(
        np.array_equal(own, its, equal_nan=own.dtype.kind == "f")
        if isinstance(own, np.ndarray) and isinstance(its, np.ndarray)
        else own is its or (not isinstance(own, np.ndarray) and bool(own == its))
        for own, its in pairs
    )


def import_named(name: str) -> Any:
    """Import a module and return its function or class, both given as ``"module:name"``."""
    module, _, function = name.partition(":")
    return getattr(import_module(module), function)


class Plottable:
    """Base class of objects that have a chart."""

    __slots__ = ()

    _chart: ClassVar[str]
    # The function that makes the chart, named as in `Result`.

    def plot(self, ax: Any = None) -> Any:
        """Draw the chart with matplotlib, which must be installed.

        Without `ax`, it is drawn on a new figure of pyplot, which notebooks show.

        Args:
            ax: matplotlib axes, or a sequence of axes for a chart of several panels; None for
                a new figure.

        Returns:
            The axes, or an array of them, ``object (panel,)``, for several panels.

        Raises:
            HoldemRuntimeError: matplotlib is not installed.
            HoldemValueError: there is nothing to draw, or the number of axes is wrong.
        """
        return self._plot(ax)

    def save_plot(self, path: str | os.PathLike[str]) -> None:
        """Draw the chart of `plot` and write it to a file; replace an existing file.

        Text in vector files stays text, and the user's settings of matplotlib have no effect.

        Args:
            path: the file, whose name ends in ``.png``, ``.svg`` or ``.pdf``.

        Raises:
            HoldemRuntimeError: matplotlib is not installed.
            HoldemValueError: there is nothing to draw, the file has another extension, or its
                directory does not exist.
        """
        self._save_plot(path)

    def _plot(self, ax: Any, **options: Any) -> Any:
        return import_named("holdem.report.plots.figures:plot")(make_chart(self, **options), ax)

    def _save_plot(self, path: str | os.PathLike[str], **options: Any) -> None:
        import_named("holdem.report.plots.figures:save")(make_chart(self, **options), path)


class Result(ABC):
    """Base class of results, which convert to text, JSON values and data frames.

    ``str(result)`` is the table that the command line prints. Notebooks show a result as HTML.
    """

    __slots__ = ()

    _report: ClassVar[str]
    # The function that makes the result's report, as "module:function": named and not imported,
    # because reports are in a higher layer and are rarely needed.

    @abstractmethod
    def to_dict(self) -> Any:
        """Convert the result to a JSON-compatible dictionary or list."""

    def to_frame(self, library: str = "pandas") -> Any:
        """Convert the result to a data frame with the rows of its CSV.

        The types of the columns do not depend on the values. A column of text has a string type
        even if all its values are missing. A column of hand categories is an ordered categorical
        with all categories of the rule set, weakest first. A count above 2^63 - 1, of the deals of
        six players, becomes 2^63 - 1.

        Args:
            library: ``"pandas"``, ``"polars"``, or ``"pyarrow"`` for an Arrow table. It must be
                installed.

        Raises:
            HoldemTypeError: `library` is not text.
            HoldemValueError: `library` is none of these.
            HoldemRuntimeError: the library is not installed.
        """
        return self._make_frame(library)

    def __str__(self) -> str:
        return self._render("table")

    def _repr_html_(self) -> str:
        return self._render("html")

    def _render(self, output_format: str) -> str:
        text: str = import_named("holdem.report.formats:render")(make_report(self), output_format)
        return text

    def _make_frame(self, library: str, **options: Any) -> Any:
        report = make_report(self, **options)
        return import_named("holdem.report.formats:data_frame")(report, library)


def make_chart(result: Plottable, **options: Any) -> Any:
    """Build the `holdem.report.plots.figures.Chart` of a result.

    The class of the result names the function that builds it, to which the options are passed.
    """
    return import_named(result._chart)(result, **options)


def make_report(result: Result, **options: Any) -> Report:
    """Build the `holdem.report.model.Report` of a result.

    The class of the result names the function that builds it, to which the options are passed.
    """
    report: Report = import_named(result._report)(result, **options)
    return report

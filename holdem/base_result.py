"""`Result`: the base class of results, which print, display and export themselves."""

from __future__ import annotations

from abc import ABC, abstractmethod
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

import attrs

if TYPE_CHECKING:
    from holdem.report.formats import Report


@attrs.frozen
class EvaluatorLabel:
    """The name and version of an evaluator; prints as its name."""

    name: str
    version: str

    def __str__(self) -> str:
        return self.name

    def to_dict(self) -> dict[str, str]:
        """Return the name and version as a JSON object."""
        return attrs.asdict(self)


class Result(ABC):
    """Base class of results.

    ``str`` is the table that the command line prints. Notebooks show a result as HTML.
    """

    __slots__ = ()

    _report: ClassVar[str]
    # The function that makes the result's report, as "module:function": named and not imported,
    # because reports are in a higher layer and are rarely needed.

    @abstractmethod
    def to_dict(self) -> Any:
        """Return the result as JSON values."""

    def to_frame(self, library: str = "pandas") -> Any:
        """Return the rows of the result's CSV as a data frame.

        Args:
            library: ``"pandas"`` or ``"polars"``, which must be installed.

        Raises:
            HoldemValueError: another library.
            HoldemRuntimeError: the library is not installed.
        """
        names, rows = self._make_report().csv()
        return import_module("holdem.report.frames").data_frame(names, rows, library)

    def __str__(self) -> str:
        return self._render("table")

    def _repr_html_(self) -> str:
        return self._render("html")

    def _render(self, output_format: str) -> str:
        formats = import_module("holdem.report.formats")
        text: str = formats.render(self._make_report(), output_format)
        return text

    def _make_report(self) -> Report:
        module, _, function = self._report.partition(":")
        report: Report = getattr(import_module(module), function)(self)
        return report

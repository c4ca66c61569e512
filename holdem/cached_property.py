"""`cached_property`, which computes a value on first use without holding a lock meanwhile."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from functools import cached_property as cached_property
else:

    class cached_property(functools.cached_property):  # noqa: N801 - named as its base
        """`functools.cached_property` as it is since Python 3.12.

        In 3.11, all objects of a class share a lock: while one evaluator is loaded, which may take
        seconds, none could be used. Two threads may compute a value at once; both get the first.
        """

        def __get__(self, instance: Any, owner: type[Any] | None = None) -> Any:
            if instance is None:
                return self
            value = self.func(instance)
            return instance.__dict__.setdefault(self.attrname, value)

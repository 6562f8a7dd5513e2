"""What a result can do that has a figure of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from clustval.plot.style import Axes


class Drawn:
    """A result that can be drawn."""

    _figure: ClassVar[str]  # the function of `clustval.plot` that draws it

    def plot(self, *positional: Any, **options: Any) -> Axes:
        """Draw the result with matplotlib and return the axes; options are those of its function in `clustval.plot`."""
        from clustval import plot  # noqa: PLC0415 - loads matplotlib

        axes: Axes = getattr(plot, self._figure)(self, *positional, **options)
        return axes

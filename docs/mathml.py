"""Formulas as MathML, made when the documentation is built: browsers set them without any script or network."""

from __future__ import annotations

import re
from html import escape
from typing import Any

from latex2mathml.converter import convert


def rendered(latex: str, display: str) -> str:
    """Return a formula as MathML, with its source for those who read it by ear or copy it."""
    source = re.sub(r"\s+", " ", latex).strip()
    markup = convert(source, display=display)
    return markup.replace("<math ", f'<math aria-label="{escape(source, quote=True)}" ', 1)


def visit_inline(translator: Any, node: Any) -> None:
    """Write a formula within a line."""
    import docutils.nodes  # noqa: PLC0415

    translator.body.append(f'<span class="math">{rendered(node.astext(), "inline")}</span>')
    raise docutils.nodes.SkipNode


def visit_block(translator: Any, node: Any) -> None:
    """Write a formula that stands alone; of several lines each by itself."""
    import docutils.nodes  # noqa: PLC0415

    parts = [part for part in re.split(r"\n\s*\n", node.astext()) if part.strip()]
    lines = "".join(f"<p>{rendered(part, 'block')}</p>" for part in parts)
    translator.body.append(f'<div class="math">{lines}</div>')
    raise docutils.nodes.SkipNode


def setup(app: Any) -> dict[str, bool]:
    """Make this the way in which formulas are written."""
    app.add_html_math_renderer("mathml", inline_renderers=(visit_inline, None), block_renderers=(visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}

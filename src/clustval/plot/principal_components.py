"""The clusters on the two principal components of the data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from clustval import inputs
from clustval.arrays import Floats, Integers
from clustval.inputs import Labels
from clustval.labels import called, noise_name
from clustval.outlines import outline
from clustval.plot.style import BLACK, LITERAL, axes, colour, legend, marker, short_text, short_texts
from clustval.sources.label_pair import pair_of
from clustval.stats.labels.matching import Matching

if TYPE_CHECKING:
    from clustval.plot.style import Axes

LISTED = 20  # clusters in the legend
NOISE = -1


def scatter(
    X: Any,
    labels: Any,
    truth: Any = None,
    *,
    names: Any = None,
    outlines: bool = True,
    most: int = 20_000,
    ax: Axes | None = None,
) -> Axes:
    """Show the points on their two principal components by cluster, and ring those in the wrong cluster, given a truth.

    A point is in the wrong cluster if its class is not the one that its cluster is matched with, one to one, as in
    `clustval.matching`. Data of one or two columns are drawn as they are. Noise is black crosses. `names` are what
    clusters are called: a mapping from labels, ``{0: "loyal"}``, or one for each label in sorted order.
    `outlines` are drawn around nine tenths of the points of each of up to 20 clusters. Of more than `most` points a
    sample is drawn, always the same, and the title says so.
    """
    points = inputs.as_points(X)
    rows = inputs.row_names(X)
    labels, truth = inputs.aligned(labels, rows, "labels"), inputs.aligned(truth, rows, "truth")
    clusters = inputs.as_labels(labels)
    inputs.check_length(len(points), clusters)
    wrong = None if truth is None else _wrong(truth, labels, len(points))
    ax = axes(ax, (7.2, 4.6))

    shown = called(names, clusters.names)
    places, titles = _places(points, _columns(X))
    sample = np.arange(len(points))
    if len(points) > most:
        sample = np.sort(np.random.default_rng(0).choice(len(points), most, replace=False))
    size = float(np.clip(12_000 / len(sample), 6, 30))
    if outlines and clusters.k <= LISTED:
        _draw_outlines(ax, places, clusters)
    handles = _draw_clusters(ax, places[sample], clusters, clusters.codes[sample], size)
    noisy = (clusters.codes[sample] == NOISE).any()
    entries = [*short_texts(shown), *([noise_name(shown)] if noisy else [])]
    if len(handles) > LISTED:
        more = len(handles) - LISTED + 1
        handles, entries = handles[: LISTED - 1], entries[: LISTED - 1]
        handles.append(ax.plot([], [], linestyle="none")[0])
        entries.append(f"and {more} more")
    notes = [] if len(sample) == len(points) else [f"{len(sample):,} of {len(points):,} points shown"]
    if wrong is not None:
        notes.append(f"{wrong.sum():,} of {len(points):,} points in the wrong cluster")
        ringed = places[sample[wrong[sample]]]
        style: dict[str, Any] = {"facecolors": "none", "edgecolors": BLACK, "linewidths": 1.0, "gid": "wrong"}
        handles.append(
            ax.scatter(ringed[:, 0], ringed[:, 1], s=3 * size + 20, zorder=3, rasterized=len(ringed) > 1_000, **style)
        )
        entries.append("wrong cluster")
    ax.set_title("; ".join(notes), fontsize=10)
    legend(
        ax,
        handles,
        entries,
        loc="upper left",
        bbox_to_anchor=(1, 1),
        frameon=False,
        fontsize=8,
        title="cluster",
        markerscale=(40 / size) ** 0.5,
    )
    ax.set_xlabel(titles[0], **LITERAL)
    ax.set_ylabel(titles[1], **LITERAL)
    if points.shape[1] == 1:
        ax.set_yticks([])
    return ax


def _draw_clusters(ax: Any, places: Floats, clusters: Labels, codes: Integers, size: float) -> list[Any]:
    """Draw each cluster in its colour and marker, noise last; return what stands for them in the legend."""
    handles = []
    raster = len(places) > 2_000  # as vectors so many points would make a file that nothing opens
    for cluster in range(clusters.k):
        mine = places[codes == cluster]
        style = {"color": colour(cluster), "marker": marker(cluster), "linewidths": 0}
        handles.append(ax.scatter(*mine.T, s=size, rasterized=raster, **style))
    if (codes == NOISE).any():
        noise = places[codes == NOISE]
        handles.append(ax.scatter(*noise.T, s=size, color=BLACK, marker="x", linewidths=0.6, rasterized=raster))
    return handles


def _draw_outlines(ax: Any, places: Floats, clusters: Labels) -> None:
    """Draw a pale outline around most points of each cluster, below the points."""
    for cluster in range(clusters.k):
        corners = outline(places[clusters.codes == cluster])
        if len(corners):
            tone = colour(cluster)
            style: dict[str, Any] = {"facecolor": (tone, 0.08), "edgecolor": (tone, 0.6), "linewidth": 1.0}
            ax.fill(*corners.T, zorder=0.5, gid="outline", **style)


def _columns(X: Any) -> list[str]:
    """Return the names of the columns of a data frame; of anything else, their positions."""
    import narwhals as nw  # noqa: PLC0415 - as in inputs, only data frames need it

    frame = nw.from_native(X, pass_through=True)
    if isinstance(frame, (nw.DataFrame, nw.LazyFrame)):
        return [short_text(name) for name in frame.collect_schema().names()]
    return ["column 0", "column 1"]


def _places(points: Floats, columns: list[str]) -> tuple[Floats, tuple[str, str]]:
    """Return two coordinates of each point and what they are."""
    if points.shape[1] == 1:
        return np.column_stack([points[:, 0], np.zeros(len(points))]), (columns[0], "")
    if points.shape[1] == 2:
        return points, (columns[0], columns[1])
    centred = points - points.mean(axis=0)
    # Of the two squares of X, the smaller one has the same principal components.
    if len(points) < points.shape[1]:
        variances, sides = np.linalg.eigh(centred @ centred.T)
        axes_of = centred.T @ sides[:, :-3:-1]
        axes_of /= np.maximum(np.linalg.norm(axes_of, axis=0), np.finfo(float).tiny)
    else:
        variances, directions = np.linalg.eigh(centred.T @ centred)
        axes_of = directions[:, :-3:-1]
    # A component has no sign of its own: its largest loading is made positive, so that figures are alike.
    largest = np.abs(axes_of).argmax(axis=0)
    axes_of = axes_of * np.where(axes_of[largest, [0, 1]] < 0, -1, 1)
    total = float(np.maximum(variances, 0).sum())
    shares = np.maximum(variances[:-3:-1], 0) / total if total else np.zeros(2)
    names = [f"principal component {at + 1} ({share:.0%} of the variance)" for at, share in enumerate(shares.tolist())]
    return centred @ axes_of, (names[0], names[1])


def _wrong(truth: Any, labels: Any, n: int) -> NDArray[np.bool_]:
    """Return which points are not of the class that their cluster is matched with."""
    classes = inputs.as_labels(truth, "truth", noise="cluster")
    inputs.check_length(n, classes, name="truth")
    clusters = inputs.as_labels(labels, noise="cluster")
    matching: Matching = pair_of(classes.codes, clusters.codes, noise="cluster")[Matching]
    expected = np.full(clusters.k, NOISE)
    expected[matching.columns] = matching.rows
    wrong: NDArray[np.bool_] = expected[clusters.codes] != classes.codes
    return wrong

"""The minimum spanning tree of mutual reachability, and minimax distances by walking it.

Two points reach each other at the largest of their distance and of both their core distances. In few dimensions the
tree is grown component by component, each joined to its nearest neighbour that a k-d tree finds (Boruvka); otherwise
point by point (Prim). Edges of equal length may come out differently, minimax distances do not.
"""

from __future__ import annotations

import numpy as np

from clustval.kernels.metrics.roots import finish_row
from clustval.kernels.trees.kd_tree import squared_distance
from clustval.kernels.work.jit import kernel

MIXED = -1
STACK = 128  # nodes: one is put down for each level of the tree


@kernel
def join_by_points(columns, core, factor, parents, reach):
    """Grow the tree point by point: the parent of each point and how far it is reached; the first point has none."""
    p, n = columns.shape
    free = np.arange(n)
    near = np.full(n, np.inf)
    parent = np.full(n, -1)
    row = np.empty(n)
    last = 0
    free[0] = n - 1
    left = n - 1
    parents[0] = -1
    reach[0] = 0.0
    # The points that are not in the tree yet lie side by side, so that their distances vectorise.
    rest = np.empty((p, n))
    rest_core = np.empty(n)
    for c in range(left):
        for q in range(p):
            rest[q, c] = columns[q, free[c]]
        rest_core[c] = core[free[c]]
    while left > 0:
        for c in range(left):
            row[c] = 0.0
        for q in range(p):
            x = columns[q, last]
            for c in range(left):
                step = rest[q, c] - x
                row[c] += step * step
        finish_row(row, left, factor)
        mine = core[last]
        at = 0
        nearest = np.inf
        for c in range(left):
            r = max(row[c], mine, rest_core[c])
            if r < near[c]:
                near[c] = r
                parent[c] = last
            if near[c] < nearest:
                nearest = near[c]
                at = c
        last = free[at]
        parents[last] = parent[at]
        reach[last] = nearest
        left -= 1
        free[at] = free[left]
        near[at] = near[left]
        parent[at] = parent[left]
        rest_core[at] = rest_core[left]
        for q in range(p):
            rest[q, at] = rest[q, left]


@kernel
def take_up(row, core, last, near, parent, done):
    """Let the point `last`, with these distances to all points, reach those not in the tree; return the nearest."""
    at = -1
    nearest = np.inf
    for j in range(len(row)):
        if done[j]:
            continue
        r = max(row[j], core[last], core[j])
        if r < near[j]:
            near[j] = r
            parent[j] = last
        if near[j] < nearest or at < 0:
            nearest = near[j]
            at = j
    return at


@kernel
def colour_nodes(begins, ends, components, colours):
    """Say for each node of a balanced k-d tree which component all of its points are in, or MIXED."""
    leaves = len(begins) // 2
    for v in range(2 * leaves - 1, 0, -1):
        if v >= leaves:
            colour = components[begins[v]]
            for i in range(begins[v] + 1, ends[v]):
                if components[i] != colour:
                    colour = MIXED
            colours[v] = colour
        else:
            same = colours[2 * v] == colours[2 * v + 1]
            colours[v] = colours[2 * v] if same else MIXED


@kernel
def square_to_box(X, i, lows, highs, v):
    """Square of the distance of point i to the box of node v."""
    square = 0.0
    for q in range(X.shape[1]):
        step = max(lows[v, q] - X[i, q], X[i, q] - highs[v, q], 0.0)
        square += step * step
    return square


@kernel
def nearest_outside(X, cores, begins, ends, lows, highs, least, colours, components, lo, hi, best, ends_of_best):
    """Find, for points lo ... hi-1 of a balanced k-d tree, the nearest point of another component.

    All lengths are squares; `least` is the smallest core in a node. `best` is the shortest edge so far that leads out
    of each component, and `ends_of_best` the points at its ends.
    """
    leaves = len(begins) // 2
    nodes = np.empty(STACK, np.int64)
    bounds = np.empty(STACK)
    for i in range(lo, hi):
        mine = components[i]
        if cores[i] >= best[mine]:
            continue
        nodes[0] = 1
        bounds[0] = 0.0
        height = 1
        while height > 0:
            height -= 1
            v = nodes[height]
            if bounds[height] >= best[mine] or colours[v] == mine:
                continue
            if v >= leaves:
                for j in range(begins[v], ends[v]):
                    if components[j] != mine and cores[j] < best[mine]:
                        r = max(squared_distance(X, i, X, j), cores[i], cores[j])
                        if r < best[mine]:
                            best[mine] = r
                            ends_of_best[mine, 0] = i
                            ends_of_best[mine, 1] = j
                continue
            a = 2 * v
            first = max(square_to_box(X, i, lows, highs, a), cores[i], least[a])
            second = max(square_to_box(X, i, lows, highs, a + 1), cores[i], least[a + 1])
            near_first = first <= second
            nodes[height] = a + 1 if near_first else a
            bounds[height] = max(first, second)
            nodes[height + 1] = a if near_first else a + 1
            bounds[height + 1] = min(first, second)
            height += 2


@kernel
def least_of_nodes(begins, ends, cores, least):
    """Fill in the smallest core of each node."""
    for v in range(1, len(begins)):
        smallest = np.inf
        for i in range(begins[v], ends[v]):
            smallest = min(smallest, cores[i])
        least[v] = smallest


@kernel
def root_of(roots, i):
    """Return the representative of the set of i, and shorten the way to it."""
    while roots[i] != i:
        roots[i] = roots[roots[i]]
        i = roots[i]
    return i


@kernel
def join_components(roots, components, ends_of_best, edges, count):
    """Join each component along its shortest edge unless that closes a circle; return how many edges there are.

    Components are then numbered by their representatives.
    """
    for c in range(len(components)):
        if ends_of_best[c, 0] < 0:
            continue
        i, j = ends_of_best[c, 0], ends_of_best[c, 1]
        a, b = root_of(roots, i), root_of(roots, j)
        if a != b:
            roots[a] = b
            edges[count, 0] = i
            edges[count, 1] = j
            count += 1
    for i in range(len(components)):
        components[i] = root_of(roots, i)
    return count


@kernel
def merge_by_length(edges, children):
    """Join points along edges sorted by length; node n + t is made by edge t of its two children."""
    n = len(edges) + 1
    roots = np.arange(2 * n - 1)
    for t in range(n - 1):
        a, b = root_of(roots, edges[t, 0]), root_of(roots, edges[t, 1])
        children[t, 0] = a
        children[t, 1] = b
        roots[a] = n + t
        roots[b] = n + t


@kernel
def path_sums(children, heights, codes, cluster, counts, sums):
    """Fill in the sum of the minimax distances of each point to all points of one cluster.

    Two points are as far apart as the node is high that joins them. Counts of the cluster go up the tree, sums down.
    """
    n = len(heights) + 1
    for i in range(n):
        counts[i] = 1 if codes[i] == cluster else 0
    for t in range(n - 1):
        counts[n + t] = counts[children[t, 0]] + counts[children[t, 1]]
    sums[2 * n - 2] = 0.0
    for t in range(n - 2, -1, -1):
        a, b = children[t, 0], children[t, 1]
        sums[a] = sums[n + t] + heights[t] * counts[b]
        sums[b] = sums[n + t] + heights[t] * counts[a]


@kernel
def path_means(children, heights, codes, sizes, own, nearest, neighbour):
    """Fill in the mean minimax distances of each point to its own cluster and to the nearest other one.

    Codes of -1 are noise: such points are in no cluster. The own mean leaves out the point itself.
    """
    n = len(codes)
    counts = np.empty(2 * n - 1, np.int64)
    sums = np.empty(2 * n - 1)
    own[:] = 0.0
    nearest[:] = np.inf
    neighbour[:] = -1
    for c in range(len(sizes)):
        path_sums(children, heights, codes, c, counts, sums)
        for i in range(n):
            if codes[i] == c:
                own[i] = sums[i] / max(sizes[c] - 1, 1)
            else:
                mean = sums[i] / sizes[c]
                if mean < nearest[i]:
                    nearest[i] = mean
                    neighbour[i] = c


@kernel
def path_minima(children, heights, codes, cluster, counts, minima):
    """Fill in the smallest minimax distance of each point to a point of one cluster; 0 for points of it."""
    n = len(heights) + 1
    for i in range(n):
        counts[i] = 1 if codes[i] == cluster else 0
    for t in range(n - 1):
        counts[n + t] = counts[children[t, 0]] + counts[children[t, 1]]
    minima[2 * n - 2] = np.inf
    for t in range(n - 2, -1, -1):
        for side in range(2):
            child = children[t, side]
            if counts[child] > 0:
                minima[child] = 0.0
            elif counts[n + t] > 0:
                minima[child] = heights[t]
            else:
                minima[child] = minima[n + t]

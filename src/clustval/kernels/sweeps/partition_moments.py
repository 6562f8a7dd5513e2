"""Many partitions of the same points: means, squared deviations, scatter matrices, distances to centres.

Tables are laid out as in `kernels.batch`: partition b has its cluster limits at `starts[firsts[b]:]`, its k rows
of p numbers at `rows[b] * p` and its k x k tables at `cells[b]`.
"""

from __future__ import annotations

import numpy as np

from clustval.kernels.work.jit import kernel
from clustval.kernels.work.lanes import WIDTH, add, fma, least, load, root, splat, store, sub

FEW = 16  # points whose products are added up before the sum is added to others


@kernel
def cluster_moments(Z, order, lo, hi, rounding, drift, means, squares, at):
    """Fill means and squared deviations of one cluster at `at`; `drift` is room for p numbers.

    As `Moments.of_points`: two passes, and points that are equal have no deviation.
    """
    p = Z.shape[1]
    size = hi - lo
    means[at : at + p] = 0.0
    squares[at : at + p] = 0.0
    drift[:] = 0.0
    for place in range(lo, hi):
        i = order[place]
        for q in range(p):
            means[at + q] += Z[i, q]
    for q in range(p):
        means[at + q] /= size
    for place in range(lo, hi):
        i = order[place]
        for q in range(p):
            step = Z[i, q] - means[at + q]
            drift[q] += step
            squares[at + q] += step * step
    for q in range(p):
        drift[q] /= size
        square = max(squares[at + q] - size * drift[q] ** 2, 0.0)
        if square <= size * rounding[q] ** 2:
            means[at + q] = Z[order[lo], q]
            squares[at + q] = 0.0
        else:
            means[at + q] += drift[q]
            squares[at + q] = square


@kernel
def centre_gaps(means, first, k, p, rounding, gaps, cell):
    """Fill the distances between k centres; 0 where only rounding parts them."""
    for a in range(k):
        gaps[cell + a * k + a] = 0.0
        for c in range(a):
            square = 0.0
            for q in range(p):
                step = means[first + a * p + q] - means[first + c * p + q]
                square += step * step
            gap = np.sqrt(square)
            if gap <= rounding:
                gap = 0.0
            gaps[cell + a * k + c] = gap
            gaps[cell + c * k + a] = gap


@kernel
def moments_of_many(Z, rounding, shortest, order, firsts, starts, ks, rows, cells, means, squares, gaps):
    """Fill means, squared deviations and gaps between centres for each partition."""
    p = Z.shape[1]
    drift = np.empty(p)
    for b in range(len(order)):
        first = firsts[b]
        for c in range(ks[b]):
            at = (rows[b] + c) * p
            cluster_moments(Z, order[b], starts[first + c], starts[first + c + 1], rounding, drift, means, squares, at)
        centre_gaps(means, rows[b] * p, ks[b], p, shortest, gaps, cells[b])


@kernel
def radii_of_many(Z, order, firsts, starts, ks, rows, cells, means, sums, own, nearest):
    """Fill distances of points to centres: own, nearest other, and sums (k x k), for each partition."""
    p = Z.shape[1]
    most_clusters = ks.max()
    width = -(-most_clusters // WIDTH) * WIDTH
    centres = np.empty(p * width)
    distances = np.empty(width)
    row = np.empty(width)
    lanes = np.empty(WIDTH)
    for b in range(len(order)):
        k = ks[b]
        padded = -(-k // WIDTH) * WIDTH
        centres[: p * padded] = np.inf  # infinitely far: never the nearest
        for c in range(k):
            for q in range(p):
                centres[q * padded + c] = means[(rows[b] + c) * p + q]
        for a in range(k):
            row[:padded] = 0.0
            for place in range(starts[firsts[b] + a], starts[firsts[b] + a + 1]):
                i = order[b, place]
                for c in range(0, padded, WIDTH):
                    square = splat(0.0)
                    for q in range(p):
                        e = sub(load(centres, q * padded + c), splat(Z[i, q]))
                        square = fma(e, e, square)
                    d = root(square)
                    store(distances, c, d)
                    store(row, c, add(load(row, c), d))
                own[b, i] = distances[a]
                distances[a] = np.inf
                low = load(distances, 0)
                for c in range(WIDTH, padded, WIDTH):
                    low = least(low, load(distances, c))
                store(lanes, 0, low)
                best = lanes[0]
                for lane in range(1, WIDTH):
                    best = lanes[lane] if lanes[lane] < best else best
                nearest[b, i] = best
            cell = cells[b] + a * k
            sums[cell : cell + k] = row[:k]


@kernel
def factor_inverse(W, unit, scales, inverse):
    """Invert the Cholesky factor of W with ones on its diagonal; return log |unit W| and the trace of the inverse.

    `inverse` holds the inverse of L with L L' = W scaled, in its lower triangle. The trace bounds what rounding
    of W can do to its determinant; it is infinite where W is not positive definite.
    """
    p = len(W)
    log_det = 0.0
    for q in range(p):
        if not W[q, q] > 0.0:
            return -np.inf, np.inf
        scales[q] = np.sqrt(W[q, q])
        log_det += np.log(W[q, q] * unit)
    L = np.empty((p, p))
    for q in range(p):
        for r in range(q + 1):
            value = W[q, r] / (scales[q] * scales[r]) if r < q else 1.0
            for s in range(r):
                value -= L[q, s] * L[r, s]
            if r < q:
                L[q, r] = value / L[r, r]
            elif value > 0.0:
                L[q, q] = np.sqrt(value)
                log_det += np.log(value)
            else:
                return -np.inf, np.inf
    trace = 0.0
    for r in range(p):
        inverse[r, r] = 1.0 / L[r, r]
        for q in range(r + 1, p):
            value = 0.0
            for s in range(r, q):
                value -= L[q, s] * inverse[s, r]
            inverse[q, r] = value / L[q, q]
        for q in range(r, p):
            trace += inverse[q, r] ** 2
    return log_det, trace


@kernel
def add_scatter(Z, order, lo, hi, means, at, step, W):
    """Add the scatter matrix of one cluster to the lower triangle of W; `step` is room for p numbers.

    Few points are added up at a time: long sums lose digits.
    """
    p = len(W)
    few = np.zeros((p, p))
    for place in range(lo, hi):
        i = order[place]
        for q in range(p):
            step[q] = Z[i, q] - means[at + q]
        for q in range(p):
            for r in range(q + 1):
                few[q, r] += step[q] * step[r]
        if (place - lo) % FEW == FEW - 1 or place == hi - 1:
            for q in range(p):
                for r in range(q + 1):
                    W[q, r] += few[q, r]
                    few[q, r] = 0.0


@kernel
def smallest_share(W, totals):
    """Smallest share of the squares of a dimension (all of them: `totals`) that W holds."""
    share = np.inf
    for q in range(len(W)):
        share = min(share, W[q, q] / totals[q])
    return share


@kernel
def add_row(R, row):
    """Rotate a row, which is used up, into the upper triangle R: R'R grows by the row's product with itself."""
    p = len(R)
    for q in range(p):
        if row[q] != 0.0:
            length = np.hypot(R[q, q], row[q])
            cosine = R[q, q] / length
            sine = row[q] / length
            R[q, q] = length
            for r in range(q + 1, p):
                kept = R[q, r]
                R[q, r] = cosine * kept + sine * row[r]
                row[r] = cosine * row[r] - sine * kept


@kernel
def log_det_of_one_plus(G):
    """Return log |1 + G| of a small positive matrix G, given by its lower triangle, which is overwritten."""
    p = len(G)
    log_det = 0.0
    for q in range(p):
        excess = G[q, q]
        for s in range(q):
            excess -= G[q, s] ** 2 * G[s, s]
        log_det += np.log1p(excess)
        for r in range(q + 1, p):
            value = G[r, q]
            for s in range(q):
                value -= G[r, s] * G[q, s] * G[s, s]
            G[r, q] = value / (1.0 + excess)
        G[q, q] = 1.0 + excess
    return log_det


@kernel
def scatter_of_many(Z, totals, order, firsts, starts, ks, rows, means, unit, log_dets, ratios, traces, doubts, shares):
    """Fill log |unit W|, log |T| / |W| and tr(W^-1 B) for each partition, and how far both can be trusted.

    `doubts` is the trace of the inverse of W scaled to ones on its diagonal, `shares` the smallest part of a
    dimension's squares that lies within clusters.
    """
    n, p = Z.shape
    W = np.empty((p, p))
    inverse = np.empty((p, p))
    scales = np.empty(p)
    mean = np.empty(p)
    step = np.empty(p)
    away = np.empty(p)
    G = np.empty((p, p))
    R = np.empty((p, p))
    for b in range(len(order)):
        W[:] = 0.0
        mean[:] = 0.0
        for c in range(ks[b]):
            lo = starts[firsts[b] + c]
            hi = starts[firsts[b] + c + 1]
            at = (rows[b] + c) * p
            add_scatter(Z, order[b], lo, hi, means, at, step, W)
            for q in range(p):
                mean[q] += (hi - lo) / n * means[at + q]
        shares[b] = smallest_share(W, totals)
        log_dets[b], doubts[b] = factor_inverse(W, unit, scales, inverse)
        trace = 0.0
        G[:] = 0.0
        R[:] = 0.0
        for q in range(p):
            R[q, q] = 1.0
        for c in range(ks[b]):
            size = starts[firsts[b] + c + 1] - starts[firsts[b] + c]
            for q in range(p):
                step[q] = (means[(rows[b] + c) * p + q] - mean[q]) / scales[q]
            for q in range(p):
                value = 0.0
                for r in range(q + 1):
                    value += inverse[q, r] * step[r]
                trace += size * value * value
                away[q] = np.sqrt(size) * value
            for q in range(p):
                for r in range(q + 1):
                    G[q, r] += away[q] * away[r]
            add_row(R, away)
        traces[b] = trace
        if trace < 1.0:  # else what 1 adds to a large number would be lost
            ratios[b] = log_det_of_one_plus(G)
        else:
            ratios[b] = 0.0
            for q in range(p):
                ratios[b] += 2.0 * np.log(abs(R[q, q]))


@kernel
def log_dets_of_clusters(Z, totals, order, firsts, starts, ks, rows, means, unit, log_dets, doubts, shares):
    """Fill log |unit W_c| of each cluster with more points than dimensions; doubts and shares are of the worst."""
    p = Z.shape[1]
    W = np.empty((p, p))
    inverse = np.empty((p, p))
    scales = np.empty(p)
    step = np.empty(p)
    for b in range(len(order)):
        doubts[b] = 0.0
        shares[b] = np.inf
        for c in range(ks[b]):
            lo = starts[firsts[b] + c]
            hi = starts[firsts[b] + c + 1]
            log_dets[rows[b] + c] = -np.inf
            if hi - lo <= p:
                continue
            W[:] = 0.0
            add_scatter(Z, order[b], lo, hi, means, (rows[b] + c) * p, step, W)
            shares[b] = min(shares[b], smallest_share(W, totals))
            log_dets[rows[b] + c], doubt = factor_inverse(W, unit, scales, inverse)
            doubts[b] = max(doubts[b], doubt)

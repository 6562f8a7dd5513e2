"""The heaviest matching of rows and columns over the occupied cells of a table, without laying the table out.

Prices of rows and columns keep the cost -weight - row price - column price of every cell from being negative; a
matching of cells that cost nothing is the heaviest once every row is matched or, at price 0, alone. Rows without a
place look for one all at once while that places many (few values, many ties), and one by one after that (Dijkstra),
when only what a search touches is ever visited.
"""

from __future__ import annotations

import heapq

import numpy as np

from clustval.kernels.work.jit import kernel
from clustval.kernels.work.rounding import ROUNDING_OF_VALUES


@kernel
def heaviest_matching(starts, columns, weights, k):
    """Return the column of each row, -1 if it stays alone; cells of row i are starts[i] ... starts[i+1] - 1."""
    r = len(starts) - 1
    column_of, row_of = np.full(r, -1, np.int64), np.full(k, -1, np.int64)
    row_price, column_price = np.zeros(r), np.zeros(k)
    waiting = np.arange(r)
    slack = 0.0  # what rounding may leave of a cost of 0
    for i in range(r):
        for cell in range(starts[i], starts[i + 1]):
            row_price[i] = min(row_price[i], -weights[cell])
        slack = max(slack, -ROUNDING_OF_VALUES * row_price[i])
    while True:
        before = len(waiting)
        waiting = _place_along_free_cells(
            waiting, starts, columns, weights, column_of, row_of, row_price, column_price, slack
        )
        if len(waiting) == 0:
            return column_of
        if before - len(waiting) < 1 + r // 10_000:
            break
        _lower_prices(waiting, starts, columns, weights, row_of, row_price, column_price)
    _place_one_by_one(waiting, starts, columns, weights, column_of, row_of, row_price, column_price)
    return column_of


@kernel
def _place_along_free_cells(waiting, starts, columns, weights, column_of, row_of, row_price, column_price, slack):
    """Search in depth along cells that cost nothing, each column once; return the rows that still wait."""
    visited = np.zeros(len(row_of), np.bool_)
    cursor = starts[:-1].copy()
    path = np.empty(len(column_of) + 1, np.int64)
    left = []
    for source in waiting:
        path[0], depth = source, 0
        while depth >= 0:
            row = path[depth]
            end = -1
            if row_price[row] >= -slack:  # it may stay alone
                end = -2
            deeper = False
            while end == -1 and not deeper and cursor[row] < starts[row + 1]:
                cell = cursor[row]
                cursor[row] += 1
                column = columns[cell]
                if not visited[column] and -weights[cell] - row_price[row] - column_price[column] <= slack:
                    visited[column] = True
                    if row_of[column] < 0:
                        end = column
                    else:
                        depth += 1
                        path[depth] = row_of[column]
                        deeper = True
            if end != -1:
                column = max(end, -1)
                while depth >= 0:  # each row of the path hands its column to the row before
                    row = path[depth]
                    column_of[row], column = column, column_of[row]
                    if column_of[row] >= 0:
                        row_of[column_of[row]] = row
                    depth -= 1
                break
            if not deeper:
                depth -= 1
        else:
            left.append(source)
    return np.array(left, dtype=np.int64) if len(left) > 0 else np.empty(0, np.int64)


@kernel
def _lower_prices(waiting, starts, columns, weights, row_of, row_price, column_price):
    """Make a cheapest way from the waiting rows to a free column, or to a row that stays alone, cost nothing."""
    distance = np.full(len(row_of), np.inf)
    settled = np.zeros(len(row_of), np.bool_)
    order = [0]
    order.pop()
    heap = [(0.0, 0)]
    heap.pop()
    best = np.inf
    for source in waiting:
        best = _relax(
            source, 0.0, best, starts, columns, weights, row_of, row_price, column_price, distance, settled, heap
        )
    while len(heap) > 0:
        here, column = heapq.heappop(heap)
        if here >= best:
            break
        if not settled[column]:
            settled[column] = True
            order.append(column)
            best = _relax(
                row_of[column], here, best, starts, columns, weights, row_of, row_price, column_price, distance,
                settled, heap,
            )  # fmt: skip
    for source in waiting:
        row_price[source] += best
    for column in order:
        row_price[row_of[column]] += best - distance[column]
        column_price[column] -= best - distance[column]


@kernel
def _relax(row, here, best, starts, columns, weights, row_of, row_price, column_price, distance, settled, heap):
    """Lower the distances of the columns of a row; return the length of the shortest way to an end so far."""
    best = min(best, here - row_price[row])
    for cell in range(starts[row], starts[row + 1]):
        column = columns[cell]
        if not settled[column]:
            step = here + max(0.0, -weights[cell] - row_price[row] - column_price[column])
            if step < distance[column] and step < best:
                distance[column] = step
                if row_of[column] < 0:
                    best = step
                else:
                    heapq.heappush(heap, (step, column))
    return best


@kernel
def _place_one_by_one(waiting, starts, columns, weights, column_of, row_of, row_price, column_price):
    """Give each waiting row the end of its own shortest way."""
    distance, previous = np.full(len(row_of), np.inf), np.full(len(row_of), -1, np.int64)
    settled = np.zeros(len(row_of), np.bool_)
    for source in waiting:
        heap = [(0.0, 0)]
        heap.pop()
        touched = [0]
        touched.pop()
        row, here = source, 0.0
        best, end_row, end_column = np.inf, -1, -1
        while True:
            if here - row_price[row] < best:  # it may give up its column and stay alone
                best, end_row, end_column = here - row_price[row], row, -1
            for cell in range(starts[row], starts[row + 1]):
                column = columns[cell]
                if settled[column]:
                    continue
                step = here + max(0.0, -weights[cell] - row_price[row] - column_price[column])
                if step < distance[column] and step < best:
                    if distance[column] == np.inf:
                        touched.append(column)
                    distance[column], previous[column] = step, row
                    if row_of[column] < 0:
                        best, end_column = step, column
                    else:
                        heapq.heappush(heap, (step, column))
            following = -1
            while len(heap) > 0 and following < 0:
                step, column = heapq.heappop(heap)
                if step >= best:
                    break
                if not settled[column]:
                    following, here = column, step
            if following < 0:
                break
            settled[following] = True
            row = row_of[following]
        row_price[source] += best
        for column in touched:
            if settled[column]:
                row_price[row_of[column]] += best - distance[column]
                column_price[column] -= best - distance[column]
        column = end_column
        if end_column < 0:
            column = column_of[end_row]
            column_of[end_row] = -1
        while column >= 0:
            row = previous[column]
            row_of[column] = row
            column_of[row], column = column, column_of[row]
        for column in touched:
            distance[column] = np.inf
            settled[column] = False

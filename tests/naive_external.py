"""External indices once more, straight from the printed formulas, in loops.

Slow and literal, for tests only. ``truth`` (partition 1) and ``pred`` (partition 2) are lists of labels of
one length; arrays are accepted. What a formula leaves undefined (0/0) is nan. Sources:

- ``CLUSTERCRIT_EXTERNAL``, ``f_measure``, ``f_alpha``: B. Desgraupes, Clustering Indices (2017), section 2;
- ``ZAKI_EXTERNAL``: Zaki and Meira, Data Mining and Machine Learning, section 17.1;
- ``EXTERNAL``: one definition each, named in its docstring;
- ``prayatul`` and ``PRAYATUL``: A. Biswas, Prayatul matrix (2023).
"""

# ruff: noqa: ARG001 (a formula takes all four counts, whether it uses them or not)

import math
from fractions import Fraction
from itertools import combinations, permutations

from naive import NAN, as_list, divide, mean

ROUNDING = 1e-12  # a sum or difference of entropies smaller than this is 0


def settle(x):
    return 0.0 if abs(x) < ROUNDING else x


# Pairs of points and contingency tables


def concordance(truth, pred):
    """Pairs (yy, yn, ny, nn): together or not in truth, together or not in pred (Desgraupes 2.1)."""
    truth, pred = as_list(truth), as_list(pred)
    yy = yn = ny = nn = 0
    for i in range(len(truth)):
        for j in range(i + 1, len(truth)):
            if truth[i] == truth[j]:
                if pred[i] == pred[j]:
                    yy += 1
                else:
                    yn += 1
            elif pred[i] == pred[j]:
                ny += 1
            else:
                nn += 1
    return yy, yn, ny, nn


def contingency(truth, pred):
    """n_ij = |C_i and T_j|: rows are clusters of pred, columns classes of truth, both sorted (Zaki 17.1)."""
    truth, pred = as_list(truth), as_list(pred)
    rows, columns = sorted(set(pred)), sorted(set(truth))
    table = [[0] * len(columns) for _ in rows]
    for t, c in zip(truth, pred, strict=True):
        table[rows.index(c)][columns.index(t)] += 1
    return table


def transposed(table):
    return [list(column) for column in zip(*table, strict=True)]


def concordance_of_table(table):
    """(TP, FN, FP, TN) = (yy, yn, ny, nn) from a contingency table: Zaki (17.7)-(17.10)."""
    n = sum(sum(row) for row in table)
    cells = sum(n_ij**2 for row in table for n_ij in row)
    rows = sum(sum(row) ** 2 for row in table)
    columns = sum(sum(column) ** 2 for column in transposed(table))
    return (cells - n) // 2, (columns - cells) // 2, (rows - cells) // 2, (n**2 - rows - columns + cells) // 2


def best_matching(weights):
    """Largest sum of weights, each row and each column used at most once, by trying all matchings."""
    if len(weights) > len(weights[0]):
        weights = transposed(weights)
    chosen = permutations(range(len(weights[0])), len(weights))
    return max(sum(weights[i][j] for i, j in enumerate(columns)) for columns in chosen)


# CLUSTERCRIT_EXTERNAL: Desgraupes, as printed, as functions of (yy, yn, ny, nn)


def czekanowski_dice(yy, yn, ny, nn):
    """2 yy / (2 yy + yn + ny) (122)."""
    return divide(2 * yy, 2 * yy + yn + ny)


def folkes_mallows(yy, yn, ny, nn):
    """Quotient yy / sqrt((yy + yn)(yy + ny)) (124)."""
    return divide(yy, math.sqrt((yy + yn) * (yy + ny)))


def hubert(yy, yn, ny, nn):
    """(N_T yy - (yy+yn)(yy+ny)) / sqrt((yy+yn)(yy+ny)(nn+yn)(nn+ny)) (127)."""
    n_t = yy + yn + ny + nn
    numerator = n_t * yy - (yy + yn) * (yy + ny)
    return divide(numerator, math.sqrt((yy + yn) * (yy + ny) * (nn + yn) * (nn + ny)))


def jaccard(yy, yn, ny, nn):
    """Quotient yy / (yy + yn + ny) (128)."""
    return divide(yy, yy + yn + ny)


def kulczynski(yy, yn, ny, nn):
    """(yy / (yy + ny) + yy / (yy + yn)) / 2 (129)."""
    return (divide(yy, yy + ny) + divide(yy, yy + yn)) / 2


def mcnemar(yy, yn, ny, nn):
    """(yn - ny) / sqrt(yn + ny) (131)."""
    return divide(yn - ny, math.sqrt(yn + ny))


def phi_without_root(yy, yn, ny, nn):
    """(yy nn - yn ny) / ((yy+yn)(yy+ny)(yn+nn)(ny+nn)) (132), as printed: no root."""
    return divide(yy * nn - yn * ny, (yy + yn) * (yy + ny) * (yn + nn) * (ny + nn))


def precision(yy, yn, ny, nn):
    """Quotient yy / (yy + ny) (112)."""
    return divide(yy, yy + ny)


def rand(yy, yn, ny, nn):
    """(yy + nn) / N_T (133)."""
    return divide(yy + nn, yy + yn + ny + nn)


def recall(yy, yn, ny, nn):
    """Quotient yy / (yy + yn) (113)."""
    return divide(yy, yy + yn)


def rogers_tanimoto(yy, yn, ny, nn):
    """(yy + nn) / (yy + nn + 2 (yn + ny)) (134)."""
    return divide(yy + nn, yy + nn + 2 * (yn + ny))


def russel_rao(yy, yn, ny, nn):
    """Quotient yy / N_T (135)."""
    return divide(yy, yy + yn + ny + nn)


def sokal_sneath1(yy, yn, ny, nn):
    """Quotient yy / (yy + 2 (yn + ny)) (137)."""
    return divide(yy, yy + 2 * (yn + ny))


def sokal_sneath2(yy, yn, ny, nn):
    """(yy + nn) / (yy + nn + (yn + ny) / 2) (137)."""
    return divide(yy + nn, yy + nn + (yn + ny) / 2)


OF_COUNTS = {
    "czekanowski_dice": czekanowski_dice,
    "folkes_mallows": folkes_mallows,
    "hubert": hubert,
    "jaccard": jaccard,
    "kulczynski": kulczynski,
    "mcnemar": mcnemar,
    "phi": phi_without_root,
    "precision": precision,
    "rand": rand,
    "recall": recall,
    "rogers_tanimoto": rogers_tanimoto,
    "russel_rao": russel_rao,
    "sokal_sneath1": sokal_sneath1,
    "sokal_sneath2": sokal_sneath2,
}


def of_labels(formula):
    """Turn a formula in (yy, yn, ny, nn) into an index of two label lists."""
    return lambda truth, pred: float(formula(*concordance(truth, pred)))


CLUSTERCRIT_EXTERNAL = {name: of_labels(formula) for name, formula in OF_COUNTS.items()}


def f_measure(truth, pred):
    """Harmonic mean of pairwise precision and recall, 2 yy / (2 yy + yn + ny) (115)."""
    return czekanowski_dice(*concordance(truth, pred))


def f_alpha(truth, pred, alpha):
    """(1 + alpha) P R / (alpha P + R) (116)."""
    counts = concordance(truth, pred)
    p, r = precision(*counts), recall(*counts)
    return divide((1 + alpha) * p * r, alpha * p + r)


# Entropies


def entropy(labels, base=math.e):
    """H = - sum p log p (Zaki 17.1.2)."""
    labels = as_list(labels)
    p = [labels.count(label) / len(labels) for label in set(labels)]
    return abs(sum(q * math.log(q) for q in p)) / math.log(base)


def joint_entropy(truth, pred, base=math.e):
    """H(C, T) = - sum p_ij log p_ij (17.3)."""
    return entropy(list(zip(as_list(truth), as_list(pred), strict=True)), base)


def conditional_entropy(truth, pred, base=math.e):
    """H(T|C) = - sum p_ij log(p_ij / p_Ci): what pred leaves open about truth (17.2)."""
    n = len(as_list(truth))
    total = 0.0
    for row in contingency(truth, pred):
        for n_ij in row:
            if n_ij > 0:
                total += n_ij / n * math.log(sum(row) / n_ij)
    return total / math.log(base)


def mutual_info(truth, pred, base=math.e):
    """I(C, T) = sum p_ij log(p_ij / (p_Ci p_Tj)) (17.4)."""
    n = len(as_list(truth))
    table = contingency(truth, pred)
    m = [sum(column) for column in transposed(table)]
    total = 0.0
    for row in table:
        for j, n_ij in enumerate(row):
            if n_ij > 0:
                total += n_ij / n * math.log(n * n_ij / (sum(row) * m[j]))
    return settle(total) / math.log(base)


def variation_of_information(truth, pred, base=math.e):
    """VI = H(T|C) + H(C|T) (17.5)."""
    return conditional_entropy(truth, pred, base) + conditional_entropy(pred, truth, base)


# ZAKI_EXTERNAL: Zaki and Meira, as printed; logarithms to base 2 as in the examples


def purity(truth, pred):
    """(1/n) sum over clusters of the largest n_ij."""
    return sum(max(row) for row in contingency(truth, pred)) / len(as_list(truth))


def matching(truth, pred):
    """Largest weight of a matching of clusters and classes, over n."""
    return best_matching(contingency(truth, pred)) / len(as_list(truth))


def zaki_f_measure(truth, pred):
    """Mean of F_i = 2 n_ij / (n_i + m_j) over clusters, j the (first) class most frequent in i (17.1)."""
    table = contingency(truth, pred)
    m = [sum(column) for column in transposed(table)]
    values = []
    for row in table:
        j = row.index(max(row))
        values.append(2 * row[j] / (sum(row) + m[j]))
    return mean(values)


def zaki_conditional_entropy(truth, pred, base=2):
    """H(T|C) (17.2)."""
    return conditional_entropy(truth, pred, base)


def zaki_nmi(truth, pred, base=2):
    """I(C, T) / sqrt(H(C) H(T))."""
    product = entropy(pred, base) * entropy(truth, base)
    return divide(mutual_info(truth, pred, base), math.sqrt(product))


def zaki_vi(truth, pred, base=2):
    """H(T) + H(C) - 2 I(C, T) (17.5)."""
    return settle(entropy(truth, base) + entropy(pred, base) - 2 * mutual_info(truth, pred, base))


def indicator(labels):
    """1 for each pair i < j with the same label, else 0 (17.1.4)."""
    return [int(a == b) for a, b in combinations(as_list(labels), 2)]


def zaki_hubert(truth, pred):
    """Mean product of the indicators of pairs, TP / N (17.16)."""
    return mean(t * c for t, c in zip(indicator(truth), indicator(pred), strict=True))


def zaki_hubert_normalized(truth, pred):
    """Correlation of the indicators of pairs (17.17)."""
    t, c = indicator(truth), indicator(pred)
    mu_t, mu_c = mean(t), mean(c)
    covariance = math.fsum((a - mu_t) * (b - mu_c) for a, b in zip(t, c, strict=True))
    spreads = math.fsum((a - mu_t) ** 2 for a in t) * math.fsum((b - mu_c) ** 2 for b in c)
    return divide(covariance, math.sqrt(spreads))


ZAKI_EXTERNAL = {
    "purity": purity,
    "matching": matching,
    "f_measure": zaki_f_measure,
    "conditional_entropy": zaki_conditional_entropy,
    "nmi": zaki_nmi,
    "vi": zaki_vi,
    "jaccard": of_labels(jaccard),  # (17.11)
    "rand": of_labels(rand),  # (17.12)
    "fowlkes_mallows": of_labels(folkes_mallows),  # (17.13)
    "hubert": zaki_hubert,
    "hubert_normalized": zaki_hubert_normalized,
}


# EXTERNAL: corrected for chance


def adjusted_rand(truth, pred):
    """Hubert and Arabie (1985): (a - E) / ((a+c + a+b) / 2 - E), E = (a+c)(a+b) / M (Vendramin (52))."""
    a, b, c, d = concordance(truth, pred)
    if a + b + c + d == 0:
        return NAN
    expected = Fraction((a + c) * (a + b), a + b + c + d)
    return float(divide(a - expected, Fraction(a + c + a + b, 2) - expected))


AVERAGES = {
    "arithmetic": lambda u, v: (u + v) / 2,
    "geometric": lambda u, v: math.sqrt(u * v),
    "min": min,
    "max": max,
}


def expected_mutual_info(truth, pred, base=math.e):
    """Mean of the mutual information over all tables with these margins (Vinh, Epps and Bailey 2010).

    In each cell n_ij is hypergeometric: P(n_ij = x) = C(m_j, x) C(n - m_j, n_i - x) / C(n, n_i).
    """
    n = len(as_list(truth))
    table = contingency(truth, pred)
    total = 0.0
    for n_i in (sum(row) for row in table):
        for m_j in (sum(column) for column in transposed(table)):
            for x in range(1, min(n_i, m_j) + 1):
                if n_i - x > n - m_j:
                    continue
                p = Fraction(math.comb(m_j, x) * math.comb(n - m_j, n_i - x), math.comb(n, n_i))
                total += float(p) * x / n * math.log(n * x / (n_i * m_j))
    return settle(total) / math.log(base)


def adjusted_mutual_info(truth, pred, average="arithmetic"):
    """(I - E(I)) / (average of H(T), H(C) - E(I)) (Vinh, Epps and Bailey 2010)."""
    expected = expected_mutual_info(truth, pred)
    upper = AVERAGES[average](entropy(truth), entropy(pred))
    return divide(settle(mutual_info(truth, pred) - expected), settle(upper - expected))


# EXTERNAL: information


def normalized_mutual_info(truth, pred, average="arithmetic"):
    """I over an average of H(T) and H(C), or over H(C, T) with "joint" (Vinh, Epps and Bailey 2010)."""
    if average == "joint":
        return divide(mutual_info(truth, pred), joint_entropy(truth, pred))
    return divide(mutual_info(truth, pred), AVERAGES[average](entropy(truth), entropy(pred)))


def normalized_vi_joint(truth, pred):
    """VI / H(C, T)."""
    return divide(variation_of_information(truth, pred), joint_entropy(truth, pred))


def normalized_vi_log_n(truth, pred):
    """VI / log n (Meila 2007)."""
    return divide(variation_of_information(truth, pred), math.log(len(as_list(truth))))


def homogeneity(truth, pred):
    """1 - H(T|C) / H(T), by definition 1 where H(T) = 0 (Rosenberg and Hirschberg 2007)."""
    return 1.0 if entropy(truth) == 0 else settle(1 - conditional_entropy(truth, pred) / entropy(truth))


def completeness(truth, pred):
    """1 - H(C|T) / H(C), by definition 1 where H(C) = 0 (Rosenberg and Hirschberg 2007)."""
    return homogeneity(pred, truth)


def v_measure(truth, pred, beta=1.0):
    """(1 + beta) h c / (beta h + c) (Rosenberg and Hirschberg 2007)."""
    h, c = homogeneity(truth, pred), completeness(truth, pred)
    return divide((1 + beta) * h * c, beta * h + c)


# EXTERNAL: sets


def inverse_purity(truth, pred):
    """(1/n) sum over classes of the largest n_ij."""
    return purity(pred, truth)


def bcubed_precision(truth, pred):
    """Mean over points of the share of its cluster, itself included, of its class (Bagga, Baldwin 1998)."""
    truth, pred = as_list(truth), as_list(pred)
    shares = []
    for t, c in zip(truth, pred, strict=True):
        own = [other for other, cluster in zip(truth, pred, strict=True) if cluster == c]
        shares.append(own.count(t) / len(own))
    return mean(shares)


def bcubed_recall(truth, pred):
    """Mean over points of the share of its class, itself included, that is in its cluster."""
    return bcubed_precision(pred, truth)


def bcubed_f(truth, pred):
    """Harmonic mean of B-cubed precision and recall (Amigo et al. 2009)."""
    p, r = bcubed_precision(truth, pred), bcubed_recall(truth, pred)
    return 2 * p * r / (p + r)


def van_dongen(truth, pred):
    """2n - sum over clusters of max_j n_ij - sum over classes of max_i n_ij (van Dongen 2000)."""
    table = contingency(truth, pred)
    n = len(as_list(truth))
    return float(2 * n - sum(max(row) for row in table) - sum(max(column) for column in transposed(table)))


def van_dongen_normalized(truth, pred):
    """Van Dongen's distance over 2n."""
    return van_dongen(truth, pred) / (2 * len(as_list(truth)))


def accuracy(truth, pred):
    """Share of points the best one-to-one relabelling gets right (Chung (1)); clusters left over count 0."""
    return matching(truth, pred)


def normalized_clustering_accuracy(truth, pred):
    """Best mean share a of a class within its own cluster, as (a - 1/k) / (1 - 1/k) (Gagolewski 2025).

    The k classes of truth are matched one to one with clusters of pred; a class left over counts 0. The paper
    takes as many clusters as classes. With one class 1/k and 1 are the same and the value is nan.
    """
    classes = transposed(contingency(truth, pred))
    k = len(classes)
    a = best_matching([[Fraction(n_ij, sum(row)) for n_ij in row] for row in classes]) / k
    return float((a - Fraction(1, k)) / (1 - Fraction(1, k))) if k > 1 else NAN


def pair_sets_index(truth, pred, simplified=False):
    """(S - E) / (max(K, K') - E), 0 where S < E, 1 where K = K' = 1 (Rezaei and Franti 2016, (18)).

    S is the largest sum of n_ij / max(n_i, m_j) over one-to-one pairs of clusters; E the same sum for the
    expected overlaps n_i m_i / n, sizes in decreasing order. Simplified: E = 1 (20).
    """
    table = contingency(truth, pred)
    n = len(as_list(truth))
    sizes = [sum(row) for row in table]
    others = [sum(column) for column in transposed(table)]
    if len(sizes) == len(others) == 1:
        return 1.0
    s = best_matching([[Fraction(table[i][j], max(a, b)) for j, b in enumerate(others)] for i, a in enumerate(sizes)])
    ordered = zip(sorted(sizes, reverse=True), sorted(others, reverse=True), strict=False)
    e = 1 if simplified else sum(Fraction(a * b, n * max(a, b)) for a, b in ordered)
    return float((s - e) / (max(len(sizes), len(others)) - e)) if s >= e else 0.0


# EXTERNAL: pairs


def phi(truth, pred):
    """Correlation of the two indicators of pairs: Desgraupes (132) with the root it lacks."""
    yy, yn, ny, nn = concordance(truth, pred)
    return divide(yy * nn - yn * ny, math.sqrt((yy + yn) * (yy + ny) * (yn + nn) * (ny + nn)))


def wallace_from_truth(truth, pred):
    """Quotient yy / (yy + yn): of the pairs together in truth, the share together in pred (Wallace 1983)."""
    return recall(*concordance(truth, pred))


def wallace_from_pred(truth, pred):
    """Quotient yy / (yy + ny): of the pairs together in pred, the share together in truth (Wallace 1983)."""
    return precision(*concordance(truth, pred))


def adjusted_wallace_from_truth(truth, pred):
    """(W - W_i) / (1 - W_i), W_i = (yy + ny) / N_T the value under independence (Severiano et al. 2011)."""
    yy, yn, ny, nn = concordance(truth, pred)
    by_chance = divide(yy + ny, yy + yn + ny + nn)
    return divide(divide(yy, yy + yn) - by_chance, 1 - by_chance)


def adjusted_wallace_from_pred(truth, pred):
    """Quotient (W - W_i) / (1 - W_i) the other way."""
    return adjusted_wallace_from_truth(pred, truth)


def mirkin(truth, pred):
    """Sum n_i² + sum m_j² - 2 sum n_ij² = 2 (yn + ny) (Mirkin 1996; Meila 2007)."""
    _, yn, ny, _ = concordance(truth, pred)
    return float(2 * (yn + ny))


def simplified_pair_sets_index(truth, pred):
    """Pair sets index with E = 1."""
    return pair_sets_index(truth, pred, simplified=True)


EXTERNAL = {
    "adjusted_rand": adjusted_rand,
    "adjusted_mutual_info": adjusted_mutual_info,
    "normalized_mutual_info": normalized_mutual_info,
    "mutual_info": mutual_info,
    "joint_entropy": joint_entropy,
    "conditional_entropy": conditional_entropy,
    "variation_of_information": variation_of_information,
    "normalized_vi_joint": normalized_vi_joint,
    "normalized_vi_log_n": normalized_vi_log_n,
    "homogeneity": homogeneity,
    "completeness": completeness,
    "v_measure": v_measure,
    "purity": purity,
    "inverse_purity": inverse_purity,
    "bcubed_precision": bcubed_precision,
    "bcubed_recall": bcubed_recall,
    "bcubed_f": bcubed_f,
    "wallace_from_truth": wallace_from_truth,
    "wallace_from_pred": wallace_from_pred,
    "adjusted_wallace_from_truth": adjusted_wallace_from_truth,
    "adjusted_wallace_from_pred": adjusted_wallace_from_pred,
    "mirkin": mirkin,
    "van_dongen": van_dongen,
    "van_dongen_normalized": van_dongen_normalized,
    "pair_sets_index": pair_sets_index,
    "simplified_pair_sets_index": simplified_pair_sets_index,
    "normalized_clustering_accuracy": normalized_clustering_accuracy,
    "accuracy": accuracy,
    "phi": phi,
}


# PRAYATUL: Biswas, as printed


def prayatul(truth, primary, alternative):
    """[[BR, RW], [WR, BW]] over all pairs of points: Algorithm 1, (1)-(4)."""
    g, p, q = as_list(truth), as_list(primary), as_list(alternative)
    D = [[0, 0], [0, 0]]
    for i in range(len(g)):
        for j in range(i + 1, len(g)):
            same_g, same_p, same_q = g[i] == g[j], p[i] == p[j], q[i] == q[j]
            D[same_p != same_g][same_q != same_g] += 1
    return D


def comparative_deviation(D):
    """(RW - WR) / (RW + WR) (5), printed as 0 where both are 0."""
    (_, rw), (wr, _) = D
    return 0.0 if rw == wr == 0 else (rw - wr) / (rw + wr)


def polarization(D):
    """(BR + RW - BW) / (BR + RW + WR + BW) (6)."""
    (br, rw), (wr, bw) = D
    return divide(br + rw - bw, br + rw + wr + bw)


def comparative_rightness(D):
    """(BR + RW) / (BR + RW + WR) (7)."""
    (br, rw), (wr, _) = D
    return divide(br + rw, br + rw + wr)


def effective_rightness(D):
    """(BR + RW - WR) / (BR + RW + WR) (8)."""
    (br, rw), (wr, _) = D
    return divide(br + rw - wr, br + rw + wr)


def effective_superiority(D):
    """(BR + RW - WR) / (BR + RW + WR + BW) (9)."""
    (br, rw), (wr, bw) = D
    return divide(br + rw - wr, br + rw + wr + bw)


# Functions of the matrix.
PRAYATUL = {
    "comparative_deviation": comparative_deviation,
    "polarization": polarization,
    "comparative_rightness": comparative_rightness,
    "effective_rightness": effective_rightness,
    "effective_superiority": effective_superiority,
}


def only_primary_right(truth, primary, alternative):
    """For each point, the number of its pairs that primary gets right and alternative wrong."""
    g, p, q = as_list(truth), as_list(primary), as_list(alternative)
    counts = [0] * len(g)
    for i in range(len(g)):
        for j in range(len(g)):
            right_p = (p[i] == p[j]) == (g[i] == g[j])
            right_q = (q[i] == q[j]) == (g[i] == g[j])
            if i != j and right_p and not right_q:
                counts[i] += 1
    return counts


def only_alternative_right(truth, primary, alternative):
    """For each point, the number of its pairs that alternative gets right and primary wrong."""
    return only_primary_right(truth, alternative, primary)

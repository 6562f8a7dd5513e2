"""Information criteria of a fitted mixture: likelihood against the number of parameters.

Lower is better, as in scikit-learn; mclust gives the opposite sign. Examples have two points, one of which belongs to
either component with a half, a log-likelihood of -3 and 5 parameters.
"""

from __future__ import annotations

from math import inf
from typing import Annotated

from clustval.declare import Value
from clustval.options import OneOf
from clustval.rules import lowest
from clustval.sources.fitted_mixture import mixture_index
from clustval.stats.mixture_fit import MixtureFit

Entropy = Annotated[str, OneOf("hard", "soft")]


@mixture_index(best=lowest, bounds=(-inf, inf), reference="schwarz1978; fraley2002", aliases=("bic",))
def gmm_bic(f: MixtureFit) -> Value:
    r"""Bayesian information criterion of a fitted mixture.

    .. math:: -2 L + q \ln n

    with L the log-likelihood of the n points and q the number of free parameters. Here 6 + 5 ln 2:

    >>> gmm_bic(log_likelihood=-3, parameters=5, responsibilities=[[1, 0], [0.5, 0.5]])
    9.46573590
    """
    return f.bic


@mixture_index(best=lowest, bounds=(-inf, inf), reference="akaike1974; fraley2002", aliases=("aic",))
def gmm_aic(f: MixtureFit) -> Value:
    r"""Akaike information criterion of a fitted mixture.

    .. math:: -2 L + 2 q

    with L the log-likelihood of the points and q the number of free parameters. Here 6 + 10:

    >>> gmm_aic(log_likelihood=-3, parameters=5, responsibilities=[[1, 0], [0.5, 0.5]])
    16.0
    """
    return -2 * f.log_likelihood + 2 * f.parameters


@mixture_index(best=lowest, bounds=(-inf, inf), reference="biernacki2000", aliases=("icl",))
def gmm_icl(f: MixtureFit, *, entropy: Entropy = "hard") -> Value:
    r"""Integrated completed likelihood of a fitted mixture: BIC plus what components that overlap cost.

    .. math:: -2 L + q \ln n + 2 E, \quad E_{hard} = -\sum_i \ln \max_c t_{ic}, \quad
              E_{soft} = -\sum_i \sum_c t_{ic} \ln t_{ic}

    with t the responsibilities. `hard` is what mclust gives, with the opposite sign; `soft` the entropy as defined.
    Here both entropies are ln 2: 6 + 5 ln 2 + 2 ln 2:

    >>> gmm_icl(log_likelihood=-3, parameters=5, responsibilities=[[1, 0], [0.5, 0.5]])
    10.85203026
    """
    return f.bic + 2 * (f.hard if entropy == "hard" else f.soft)

"""A law: every verb takes data wherever they live, and says the same of them as of the plain array; or says why not."""

import json
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from annotated import COUNT, cells, written
from scipy.sparse import csr_array
from scipy.spatial import cKDTree

import clustval as cv
from clustval.errors import InputError
from clustval.sources.warped_series import warped

COLUMNS = [f"c{j}" for j in range(6)]
SEED = {"random_state": 0}
DATA = cells(dtype=np.float64)
DATA.obs["segment"] = DATA.obs.pop("leiden").astype(str)  # "leiden" is what an algorithm is called, too
X, LABELS = DATA.obsm["X_pca"], DATA.obs["segment"].to_numpy()


def partitions(labels):
    return [labels] if isinstance(labels, str) else {"segment": labels}


def curves(swept):
    return np.asarray(swept.values).tolist()


VERBS = {
    "evaluate": lambda X, y, **h: dict(cv.evaluate(X, y, ["silhouette", "dunn"], **h)),
    "sweep of labels": lambda X, y, **h: curves(cv.sweep(X, partitions(y), "silhouette", **h)),
    "sweep over k": lambda X, _, **h: curves(cv.sweep(X, k=[2, 3], indices="silhouette", **h, **SEED)),
    "sweep over linkage": lambda X, _, **h: (
        curves(cv.sweep(X, k=[2, 3], linkage="average", indices="silhouette", **h))
    ),
    "sweep over seeds": lambda X, _, **h: curves(cv.sweep(X, k=[2, 3], seeds=2, indices="silhouette", **h)),
    "choose": lambda X, _, **h: (
        cv.choose(X, ["average"], k=[2, 3], null=False, stability=False, **h, **SEED).labels.tolist()
    ),
    "choose among labels": lambda X, y, **h: cv.choose(X, partitions(y), null=False, **h, **SEED).labels.tolist(),
    "diagnose": lambda X, y, **h: cv.diagnose(X, y, **h).clusters["separate"].tolist(),
    "structure": lambda X, _, **h: cv.structure(X, n_references=19, **h, **SEED).p_values,
    "significance": lambda X, y, **h: cv.significance(X, y, B=3, **h, **SEED).p_values,
    "stability": lambda X, _, **h: cv.stability(X, [2, 3], n_samples=3, n_init=1, **h, **SEED).table["mean"].tolist(),
    "clusterwise_stability": lambda X, y, **h: (
        cv.clusterwise_stability(X, y, n_samples=3, n_references=1, n_init=1, **h, **SEED).table["mean"].tolist()
    ),
    "gap_statistic": lambda X, _, **h: (
        cv.gap_statistic(X, [1, 2], n_references=2, n_init=1, **h, **SEED).table["gap"].tolist()
    ),
    "prediction_strength": lambda X, _, **h: (
        cv.prediction_strength(X, [2, 3], n_splits=2, n_init=1, **h, **SEED).table["mean"].tolist()
    ),
    "hopkins": lambda X, _, **h: cv.hopkins(X, n_samples=2, **h, **SEED).mean,
    "spatial_histogram": lambda X, _, **h: cv.spatial_histogram(X, n_samples=2, **h, **SEED).mean,
    "distance_distribution": lambda X, _, **h: cv.distance_distribution(X, n_samples=2, **h, **SEED).mean,
    "unimodality": lambda X, _, **h: cv.unimodality(X, **h, **SEED).p_value,
    "vat": lambda X, _, **h: cv.vat(X, **h).order.tolist(),
    "ivat": lambda X, _, **h: cv.ivat(X, **h).order.tolist(),
    "consensus": lambda X, _, **h: cv.consensus(X=X, k=2, n_samples=3, n_references=1, **h, **SEED).pac,
    "calibrate": lambda X, y, **h: (
        cv.calibrate(X, partitions(y), ["asw"], references=3, **h, **SEED).z.tolist()
    ),
    "track": lambda X, y, **h: cv.track((X, y), (X, y), n_permutations=3, **h).table["energy"].tolist(),
    "assign": lambda X, y, **h: cv.assign(X, (X, y), **h).margin.tolist(),
    "profile": lambda X, y, **h: cv.profile(X, y, **h).effects["effect"].tolist(),
    "recommend": lambda X, y, **h: (
        cv.study.recommend(X, y, criteria=["silhouette", "dunn"], n_datasets=2, runs=1, **h, **SEED).best
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def homes(tmp_path_factory):
    """Return the same points and labels as each home has them: data, labels, and which part is the points."""
    folder = tmp_path_factory.mktemp("homes")
    frame = pd.DataFrame(X, columns=COLUMNS).assign(segment=LABELS, colour=LABELS[::-1])
    frame.to_csv(folder / "rows.csv", index=False)
    frame.to_parquet(folder / "rows.parquet")
    np.savez(folder / "rows.npz", X=X, segment=LABELS.astype(str))
    embedded = pl.DataFrame({"embedding": X.tolist(), "segment": LABELS.tolist(), "colour": LABELS[::-1].tolist()})
    chosen, embedding = {"features": COLUMNS}, {"features": "embedding"}
    return {
        "pandas": (frame, "segment", chosen),
        "polars": (pl.from_pandas(frame), "segment", chosen),
        "lazy polars": (pl.from_pandas(frame).lazy(), "segment", chosen),
        "embedding in polars": (embedded, "segment", embedding),
        "embedding in pandas": (embedded.to_pandas(), "segment", embedding),
        "cells": (DATA, "segment", {}),
        "cells by name": (DATA, "segment", {"use_rep": "X_pca"}),
        "h5ad": (written(folder, DATA, "h5ad"), "segment", {}),
        "npz": (folder / "rows.npz", "segment", {"features": "X"}),
        "csv": (str(folder / "rows.csv"), "segment", chosen),
        "parquet": (folder / "rows.parquet", "segment", chosen),
        "labels in another file": (str(folder / "rows.npz"), f"{folder / 'rows.csv'}:segment", {"features": ["X"]}),
        "tensor": (Tensor(X), LABELS, {}),
    }


class Tensor:
    """An array of another library, which NumPy takes through DLPack."""

    def __init__(self, array):
        self.array, self.dtype, self.shape = array, array.dtype, array.shape

    def __len__(self):
        return len(self.array)

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def said(value):
    return json.dumps(value, default=str)


SLOW = {"unimodality", "structure", "recommend", "hopkins"}


@pytest.mark.parametrize("verb", [pytest.param(verb, marks=[pytest.mark.large] * (verb in SLOW)) for verb in VERBS])
def test_every_verb_says_the_same_wherever_data_live(verb, homes):
    call = VERBS[verb]
    plain = said(call(X, LABELS))
    others = {}
    for name, (data, labels, options) in homes.items():
        if verb in {"sweep of labels", "choose among labels", "calibrate"} and ":" in str(labels):
            continue  # several labellings are columns of one table
        others[name] = said(call(data, labels, **options))
    assert others == dict.fromkeys(others, plain)


@pytest.mark.parametrize("home", ["pandas", "polars", "cells", "tensor"])
def test_selectors_take_what_has_rows(home, homes):
    data, _, _ = homes[home]
    data = data[COLUMNS] if home in {"pandas", "polars"} else data
    selector = cv.ClusterSelector(["average"], k=[2, 3], null=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scikit-learn has its own opinion of the names of columns
        assert selector.fit(data).labels_.tolist() == selector.fit(X).labels_.tolist()


@pytest.mark.parametrize("home", ["pandas", "polars", "lazy polars", "cells", "csv", "parquet", "h5ad", "npz"])
def test_agreement_and_evaluators_take_columns_by_name(home, homes):
    data, labels, _ = homes[home]
    other = "cell_type" if home in {"cells", "h5ad"} else "segment" if home == "npz" else "colour"
    truth = DATA.obs["cell_type"].to_numpy() if home in {"cells", "h5ad"} else LABELS[::-1]
    assert dict(cv.agreement(other, labels, data=data)) == dict(
        cv.agreement(LABELS if home == "npz" else truth, LABELS)
    )
    plain = cv.Evaluator(["calinski_harabasz"]).partial_fit(X, LABELS).scores()
    assert dict(cv.Evaluator(["calinski_harabasz"]).partial_fit(data, labels).scores()) == dict(plain)


# --- graphs of neighbours --------------------------------------------------------------------------------


DISTANCES, NUMBERS = cKDTree(X).query(X, k=25)
GRAPHS = {
    "pair": (NUMBERS, DISTANCES),
    "pair the other way round": (DISTANCES, NUMBERS),
    "matrix": csr_array((DISTANCES.ravel(), NUMBERS.ravel(), np.arange(COUNT + 1) * 25), shape=(COUNT, COUNT)),
}
OF_NEIGHBOURS = {
    "evaluate": lambda **h: dict(cv.evaluate(X, LABELS, ["knn_purity", "connectivity"], **h)),
    "sweep": lambda **h: curves(cv.sweep(X, {"one": LABELS}, ["knn_purity", "connectivity"], **h)),
    "sweep over seeds": lambda **h: curves(cv.sweep(X, k=[2, 3], seeds=2, indices="knn_purity", **h)),
    "diagnose": lambda **h: cv.diagnose(X, LABELS, **h).points["stray"].tolist(),
}


@pytest.mark.parametrize("graph", GRAPHS)
@pytest.mark.parametrize("verb", OF_NEIGHBOURS)
def test_given_exact_neighbours_say_what_searched_ones_say(verb, graph):
    assert said(OF_NEIGHBOURS[verb](neighbours=GRAPHS[graph])) == said(OF_NEIGHBOURS[verb]())


def test_a_diagnosis_looks_at_the_neighbours_that_are_given():
    wrong = np.stack([(np.arange(COUNT) + step) % COUNT for step in range(1, 26)], axis=1)
    pair = wrong, np.sort(np.random.default_rng(0).uniform(1, 2, wrong.shape), axis=1)
    assert said(OF_NEIGHBOURS["diagnose"](neighbours=pair)) != said(OF_NEIGHBOURS["diagnose"]())
    with pytest.raises(InputError, match="neighbours is a graph of 90 points, but X has 89"):
        cv.diagnose(X[1:], LABELS[1:], neighbours=pair)


@pytest.mark.parametrize("name", ["modularity", "conductance"])
def test_graphs_of_indices_are_those_that_are_searched(name):
    index = getattr(cv.graph, name)
    pair = NUMBERS[:, :6], DISTANCES[:, :6]  # the point itself and five others
    assert index(pair, LABELS) == index(X, LABELS, neighbours=5)
    assert index(pair[::-1], LABELS, asymmetric="min") == index(X, LABELS, neighbours=5, asymmetric="min")


# --- what looks like distances ---------------------------------------------------------------------------


TAKES_NO_DISTANCES = {
    "gap_statistic", "prediction_strength", "hopkins", "spatial_histogram",
    "distance_distribution", "unimodality", "consensus",
}  # fmt: skip
OF_COLUMNS = {"profile", "assign", "track", "recommend"}  # which look at columns, or at two tables


@pytest.mark.parametrize("verb", [*sorted(VERBS.keys() - OF_COLUMNS - SLOW), "hopkins", "structure"])
def test_coordinates_that_look_like_distances_get_one_sentence(verb):
    distances = np.abs(np.subtract.outer(X[::3, 0], X[::3, 0]))
    remedy = "Here its rows are taken as points" if verb in TAKES_NO_DISTANCES else "metric='precomputed' takes it so"
    said = f"^X looks like distances: square and symmetric, with 0 on its diagonal. {remedy}.$"
    with pytest.warns(UserWarning, match=said):
        VERBS[verb](distances, LABELS[::3])


# --- mixed tables and series -----------------------------------------------------------------------------


RNG = np.random.default_rng(1)
MIXED = pd.DataFrame(
    {
        "age": np.r_[RNG.normal(0, 1, 30), RNG.normal(8, 1, 30)],
        "plan": RNG.choice(["basic", "plus"], 60),
        "since": pd.Timestamp("2024-01-01") + pd.to_timedelta(RNG.integers(0, 100, 60), "D"),
    }
)
MIXED.loc[3, "age"] = np.nan
SERIES = [RNG.normal(level, 1, RNG.integers(4, 8)) for level in np.repeat([0, 6], 15)]
BY_DISTANCE = (
    "evaluate", "sweep of labels", "sweep over linkage", "choose", "choose among labels", "vat", "ivat", "calibrate",
)  # fmt: skip
WHY_NOT = {  # of the other verbs that take a metric, in one line
    "sweep over k": "k-means needs coordinates; with metric='{}' give an estimator of distances, or linkage=.",
    "sweep over seeds": "k-means needs coordinates; with metric='{}' give an estimator of distances, or linkage=.",
    "significance": {
        "gower": "k-means needs means, and the metric 'gower' has none; give another algorithm, which clusters the "
        "draws, too.",
        "dtw": "significance needs coordinates, from which data without clusters are drawn; metric is 'dtw'.",
    },
    "structure": {"dtw": "structure needs coordinates, from which data without clusters are drawn; metric is 'dtw'."},
    "track": {"dtw": "metric='dtw' has no coordinates to compare rows of two times by; use a metric of coordinates."},
    "assign": {"dtw": "metric='dtw' has no coordinates to compare new rows by; use a metric of coordinates."},
}


@pytest.mark.parametrize("verb", BY_DISTANCE)
def test_mixed_tables_and_series_are_their_distances(verb):
    call, halves = VERBS[verb], np.repeat(["p", "q"], 30)
    by_distance = said(call(cv.gower(MIXED), halves, metric="precomputed"))
    assert said(call(MIXED, halves, metric="gower")) == by_distance
    wider = MIXED.assign(segment=halves, note=[f"row {at}" for at in range(60)])
    features = {"features": list(MIXED)}
    assert said(call(wider, "segment", metric="gower", **features)) == by_distance
    assert said(call(pl.from_pandas(wider), "segment", metric="gower", **features)) == by_distance
    distances, ends = warped(SERIES, "dtw", 1, 2**30, None), np.repeat(["p", "q"], 15)
    assert said(call(SERIES, ends, metric="dtw")) == said(call(distances, ends, metric="precomputed"))


@pytest.mark.parametrize("form", ["csv", "parquet"])
@pytest.mark.parametrize("verb", [*BY_DISTANCE, "profile", "track", "assign"])
def test_files_of_mixed_tables_are_the_frames_that_they_hold(verb, form, tmp_path):
    call, wider = VERBS[verb], MIXED.assign(segment=np.repeat(["p", "q"], 30), customer_id=RNG.permutation(900)[:60])
    path = tmp_path / f"people.{form}"
    wider.to_csv(path, index=False) if form == "csv" else wider.to_parquet(path)
    metric = {} if verb == "profile" else {"metric": "gower"}
    with pytest.warns(UserWarning, match="^Column 'customer_id' names the rows"):
        of_frame = said(call(wider, "segment", **metric))
    with pytest.warns(UserWarning, match="^Column 'customer_id' names the rows"):
        assert said(call(path, "segment", **metric)) == of_frame
    assert of_frame == said(call(wider.drop(columns="customer_id"), "segment", **metric))


@pytest.mark.parametrize(
    ("verb", "metric"),
    [
        (verb, metric)
        for verb, why in WHY_NOT.items()
        for metric in (why if isinstance(why, dict) else ("gower", "dtw"))
    ],
)
def test_verbs_that_need_coordinates_say_so_in_one_line(verb, metric):
    data = MIXED if metric == "gower" else SERIES
    labels = np.repeat(["p", "q"], len(data) // 2)
    why = WHY_NOT[verb]
    with pytest.raises(InputError) as error:
        VERBS[verb](data, labels, metric=metric)
    wanted = why[metric] if isinstance(why, dict) else why.format(metric)
    assert str(error.value) == wanted


@pytest.mark.parametrize("verb", ["diagnose", pytest.param("structure", marks=pytest.mark.large)])
def test_what_looks_at_coordinates_takes_those_of_the_mixed_table(verb):
    halves = np.repeat(["p", "q"], 30)
    frame = MIXED.assign(segment=halves)
    assert said(VERBS[verb](frame, "segment", metric="gower", features=list(MIXED))) == said(
        VERBS[verb](cv.mixed(MIXED), halves, metric="gower")
    )


VERBS_OF_NUMBERS = [
    "stability", "gap_statistic", "prediction_strength", "hopkins", "spatial_histogram", "distance_distribution",
    "unimodality", "consensus",
]  # fmt: skip


@pytest.mark.parametrize("verb", VERBS_OF_NUMBERS)
def test_verbs_of_numbers_name_the_column_that_holds_none(verb):
    with pytest.raises(InputError, match=r"Column 'plan' of X holds .*, not numbers; drop or encode it"):
        VERBS[verb](MIXED, None)


def test_mixed_rows_are_tracked_and_assigned_by_the_distances_of_one_table():
    halves = np.repeat(["p", "q"], 30)
    first, second = MIXED.iloc[::2], MIXED.iloc[1::2]
    assignment = cv.assign(second, (first.assign(segment=halves[::2]), "segment"), metric="gower")
    assert assignment.labels.tolist() == halves[1::2].tolist()
    track = cv.track((first, halves[::2]), (second, halves[1::2]), metric="gower", n_permutations=0)
    assert track.table["event"].tolist() == ["continues", "continues"]
    assert np.isnan(track.table["centre_shift"]).all()
    with pytest.raises(InputError, match="divides columns by their range already"):
        cv.track((first, halves[::2]), (second, halves[1::2]), metric="gower", standardize=True)
    with pytest.raises(InputError, match="A mixed table that was made already has ranges of its own"):
        cv.assign(cv.mixed(second), (cv.mixed(first), halves[::2]), metric="gower")


def test_distances_to_new_rows_are_those_of_a_table_with_the_same_ranges():
    ends = MIXED.loc[[MIXED["age"].idxmin(), MIXED["age"].idxmax(), MIXED["since"].idxmin(), MIXED["since"].idxmax()]]
    members, new = pd.concat([MIXED.iloc[:45], ends], ignore_index=True), MIXED.iloc[45:]
    distances = cv.gower(pd.concat([members, new], ignore_index=True))[len(members) :, : len(members)]
    clusters = np.where(np.arange(len(members)) % 2, "p", "q")
    near = {name: np.sort(distances[:, clusters == name], axis=1)[:, :5].mean(axis=1) for name in ("p", "q")}
    first, second = np.sort(list(near.values()), axis=0)
    assert cv.assign(new, (members, clusters), metric="gower").margin == pytest.approx(1 - first / second)


def test_a_new_row_is_assigned_alike_whatever_other_rows_are_new():
    members, clusters = MIXED.iloc[:50], np.where(np.arange(50) % 2, "p", "q")
    new = MIXED.iloc[50:].assign(age=lambda rows: rows["age"] + 0.5)
    far = pd.concat([new, new.iloc[:1].assign(age=-1e6), new.iloc[:1].assign(age=1e6)])
    alone, beside = (cv.assign(rows, (members, clusters), metric="gower") for rows in (new, far))
    assert beside.margin[:-2].tolist() == alone.margin.tolist()


def test_columns_of_files_that_are_labels_or_weights_are_no_points(tmp_path):
    codes, weights = np.unique(LABELS, return_inverse=True)[1], 1 + np.arange(COUNT) % 3
    frame = pd.DataFrame(X, columns=COLUMNS).assign(cluster=100 * codes, weight=weights)
    frame.to_csv(tmp_path / "rows.csv", index=False)
    for data in (str(tmp_path / "rows.csv"), frame):
        swept = cv.sweep(data, ["cluster"], "silhouette", sample_weight="weight")
        assert curves(swept) == curves(cv.sweep(X, {"one": codes}, "silhouette", sample_weight=weights))
        seeded = cv.sweep(data, k=[2], seeds=1, indices="dunn", sample_weight="weight", features=COLUMNS)
        assert curves(seeded) == curves(cv.sweep(X, k=[2], seeds=1, indices="dunn", sample_weight=weights))
    diagnosis = cv.diagnose(tmp_path / "rows.csv", "cluster", sample_weight="weight")
    assert said(diagnosis.clusters["separate"].tolist()) == said(
        cv.diagnose(X, 100 * codes, sample_weight=weights).clusters["separate"].tolist()
    )


def test_categories_that_were_not_there_before_are_far_from_all_that_were():
    rows = [[0.0, "red"], [1.0, "red"], [10.0, "blue"], [9.0, "blue"], [8.0, "blue"], [2.0, "red"]]
    clusters = ["p" if colour == "red" else "q" for _, colour in rows]
    assignment = cv.assign([[1.0, "red"], [1.0, "green"]], (rows, clusters), metric="gower")
    assert assignment.outside.tolist() == [False, True]
    beyond = cv.assign([[-5.0, "red"], [99.0, "blue"], [1.0, "red"]], (rows, clusters), metric="gower")
    assert beyond.labels.tolist() == ["p", "q", "p"]
    assert beyond.outside.tolist() == [True, True, False]

"""Graphs at the command line: a table of edges, a table of labels, and one line for what is wrong with them."""

from __future__ import annotations

import json

import pytest
from pytest import approx

import clustval as cv
from conftest import write

EDGES = "from,to\na,b\nb,c\nc,a\nc,d\nd,e\n"
LABELS = "vertex,team,half\na,1,x\nb,1,x\nc,1,y\nd,2,y\ne,2,y\n"
PATH = [[0, 1, 1, 0, 0], [1, 0, 1, 0, 0], [1, 1, 0, 1, 0], [0, 0, 1, 0, 1], [0, 0, 0, 1, 0]]
TEAM, HALF = [1, 1, 1, 2, 2], ["x", "x", "y", "y", "y"]


@pytest.fixture(name="graph")
def _graph(program):
    """The program, with a table of edges and one of labels."""
    write("edges.csv", EDGES)
    write("labels.csv", LABELS)
    return lambda *arguments, **more: program("graph", *arguments, **more)


def document(outcome):
    assert outcome.code == 0, outcome.err
    return json.loads(outcome.out)


def test_every_column_of_labels_is_a_partition(graph):
    found = document(graph("edges.csv", "--labels", "labels.csv", "--json"))
    assert (found["vertices"], found["edges"], found["coverage"]) == (5, 5, {"team": 1, "half": 1})
    for name, labels in {"team": TEAM, "half": HALF}.items():
        assert {row["index"]: row[name] for row in found["indices"]} == approx(
            cv.graph.evaluate(PATH, labels).to_dict(), rel=1e-15
        )
    first = found["clusters"][0]
    assert (first["labels"], first["cluster"], first["size"], first["cut"]) == ("team", 1, 3, 1)
    assert first["conductance"] == approx(1 / 3)


def test_one_column_and_some_indices_can_be_chosen(graph):
    found = document(graph("edges.csv", "-l", "labels.csv:half", "-i", "ncut,coverage", "--json"))
    assert [list(row)[:2] for row in found["indices"]] == [["index", "half"]] * 2
    assert found["indices"][1]["half"] == 0.6
    assert graph("edges.csv", "-l", "labels.csv:team", "-i", "coverage", "--csv").out == (
        "index,team,direction,range,reason\ncoverage,0.8,higher,0 … 1,\n"
    )


def test_people_see_a_table_and_what_chance_gives(graph):
    outcome = graph("edges.csv", "-l", "labels.csv:team", "--test")
    assert outcome.code == 0
    assert "5 vertices, 5 edges." in outcome.out
    assert "Edges inside each community of team, and by chance" in outcome.out
    assert "0.333333" in outcome.out
    records = document(graph("edges.csv", "-l", "labels.csv:team", "--test", "--json"))["tests"]["team"]
    assert [record["p_value"] for record in records] == approx([1 / 3, 1 / 3])


def test_weights_are_read_from_their_column_and_can_be_left_alone(graph):
    write("heavy.csv", "weight,a,b,strength\n1,a,b,3\n1,b,c,1\n1,c,a,1\n1,c,d,2\n1,d,e,1\n")
    ends = ("--ends", "a,b", "-l", "labels.csv:team", "-i", "coverage", "--json")
    for more, value in (((), 4 / 5), (("--weight", "strength"), 6 / 8), (("-w", "strength", "--count"), 4 / 5)):
        assert document(graph("heavy.csv", *ends, *more))["indices"][0]["team"] == approx(value)


def test_vertices_without_labels_are_noise_and_vertices_without_edges_are_there(graph):
    write("few.csv", "vertex,team\na,1\nb,1\nc,2\nz,2\n")
    found = document(graph("edges.csv", "-l", "few.csv", "-i", "ratio_cut", "--json"))
    assert found["vertices"] == 6
    assert found["coverage"]["team"] == approx(4 / 6)
    assert found["indices"][0]["team"] == 2 / 2 + 2 / 2
    assert (
        "33.3% of the vertices have no label in 'team' and are left out, with their edges."
        in graph("edges.csv", "-l", "few.csv").out
    )


def test_a_list_of_both_directions_is_read_by_a_rule(graph):
    write("both.csv", EDGES + "b,a\nc,b\na,c\nd,c\ne,d\n")
    found = document(graph("both.csv", "-l", "labels.csv:team", "--asymmetric", "max", "--json"))
    expected = cv.graph.evaluate(PATH, TEAM).to_dict()
    assert {row["index"]: row["team"] for row in found["indices"]} == approx(expected, rel=1e-15)


def test_edges_may_come_from_standard_input_and_names_of_numbers_are_names(graph):
    write("numbers.csv", "v,c\n1,0\n2,0\n3,1\n")
    outcome = graph("-", "-l", "numbers.csv", "-i", "coverage", "--json", text="a,b\n1,2\n 2,3\n")
    assert document(outcome)["indices"][0]["c"] == 0.5


BOTH = (
    "edges.csv has an edge from 'b' to 'a' and one from 'a' to 'b'. If rows have a direction, or each edge is listed "
    "twice, say --asymmetric max (or min, mean, sum)."
)
WRONG = {
    "no such file": (("nothing.csv", "-l", "labels.csv"), "nothing.csv"),
    "no such column of labels": (
        ("edges.csv", "-l", "labels.csv:tema"),
        "labels.csv has no column 'tema'. Did you mean 'team'?",
    ),
    "no such ends": (("edges.csv", "-l", "labels.csv", "--ends", "from,too"), "edges.csv has no column 'too'."),
    "three ends": (
        ("edges.csv", "-l", "labels.csv", "--ends", "from,to,to"),
        "--ends names 3 columns; an edge has two ends, in two columns.",
    ),
    "no weights": (("edges.csv", "-l", "labels.csv", "-w", "to"), "holds text, such as 'b', not numbers."),
    "no such rule": (
        ("edges.csv", "-l", "labels.csv", "--asymmetric", "both"),
        "asymmetric must be one of 'max', 'min', 'mean', 'sum'; it is 'both'.",
    ),
    "no such index": (("edges.csv", "-l", "labels.csv", "-i", "modularty"), "Did you mean 'modularity'?"),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_told_in_one_line(graph, what):
    arguments, message = WRONG[what]
    outcome = graph(*arguments)
    assert outcome.code == 2
    assert message in outcome.err
    assert outcome.err.count("\n") == 1
    assert outcome.out == ""


@pytest.mark.parametrize(
    ("edges", "labels", "message"),
    [
        (EDGES + "b,a\n", LABELS, BOTH),
        ("from\na\n", LABELS, "edges.csv has one column; an edge has two ends, in two columns."),
        (EDGES + ",a\n", LABELS, "Column 'from' of edges.csv names vertices; row 6 is empty."),
        (EDGES, "vertex\na\n", "labels.csv has one column; it must have the vertices first, and then their labels."),
        (EDGES, LABELS + "a,2,x\n", "labels.csv has vertex 'a' twice."),
    ],
)
def test_tables_that_are_no_graph_are_refused(graph, edges, labels, message):
    write("edges.csv", edges)
    write("labels.csv", labels)
    outcome = graph("edges.csv", "-l", "labels.csv")
    assert (outcome.code, outcome.err, outcome.out) == (2, f"clustval: {message}\n", "")

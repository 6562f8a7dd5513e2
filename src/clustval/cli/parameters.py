"""Options that several commands share, described once."""

from typing import Annotated

import typer

Data = Annotated[str, typer.Argument(metavar="DATA", help="A table: one row per point; - for standard input.")]
Labels = Annotated[
    str,
    typer.Option("--labels", "-l", metavar="COL", help="Column with the labels; or a file: FILE, FILE:COL."),
]
Names = Annotated[
    list[str] | None,
    typer.Option("--names", metavar="0=A,1=B", help="Names of the clusters, as 0=loyal,1=new."),
]
Memberships = Annotated[
    str | None,
    typer.Option("--memberships", metavar="COLS", help="Columns with memberships, a,b,c or 'u*', in place of labels."),
]
Indices = Annotated[
    str,
    typer.Option(
        "--indices",
        "-i",
        help="A suite (default, fast, all, clustercrit, zaki, vendramin, nbclust, density, hennig, sklearn), or a,b.",
    ),
]
Weights = Annotated[
    str | None,
    typer.Option("--weights", "-w", metavar="COL", help="Column (or file) that says how often each row counts."),
]
Features = Annotated[
    str, typer.Option("--features", "-f", metavar="A,B", help="Columns to use (default: all that hold numbers).")
]
UseRep = Annotated[
    str | None,
    typer.Option(
        "--use-rep",
        metavar="NAME",
        help="For cells: the representation that has the points (default: X_pca).",
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Allow a UMAP or t-SNE as the points.")]
Exclude = Annotated[
    list[str] | None,
    typer.Option("--exclude", "-x", metavar="A,B", help="Columns of numbers to leave out, such as an id."),
]
Standardize = Annotated[bool, typer.Option("--standardize", help="Give every column mean 0 and variance 1.")]
DropMissing = Annotated[bool, typer.Option("--drop-missing", help="Leave out rows with missing values.")]
NoHeader = Annotated[bool, typer.Option("--no-header", help="The text file has no header; columns are 0, 1, ...")]
Encoding = Annotated[str, typer.Option("--encoding", help="Encoding of a text file.")]
Metric = Annotated[
    str, typer.Option("--metric", help="Distance: euclidean, cosine, ...; gower for numbers and text; precomputed.")
]
Noise = Annotated[
    str,
    typer.Option("--noise", help="How -1 and missing labels are treated: drop, cluster, singletons, error, penalty."),
]
Jobs = Annotated[int | None, typer.Option("--jobs", "-j", help="Number of threads (default: all cores).")]
Memory = Annotated[str | None, typer.Option("--memory", help="Budget for pairwise work, as '2 GiB'.")]
Report = Annotated[
    str | None, typer.Option("--report", "-r", metavar="FILE", help="Write an HTML report to this file.")
]
Coordinates = Annotated[
    str,
    typer.Option("--coordinates", metavar="X,Y", help="Two columns in which the report draws points, such as UMAP's."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.", rich_help_panel="Output")]
Csv = Annotated[bool, typer.Option("--csv", help="Print CSV.", rich_help_panel="Output")]
Markdown = Annotated[bool, typer.Option("--md", help="Print a Markdown table.", rich_help_panel="Output")]
Clusters = Annotated[
    str, typer.Option("--k", "-k", metavar="2:10", help="Numbers of clusters: 2:10 (both ends), 2:20:2, or 2,4,8.")
]
Approximate = Annotated[
    float | None,
    typer.Option("--approximate", metavar="ERROR", help="Estimate what needs all pairs of points, up to this error."),
]
Confidence = Annotated[
    float | None, typer.Option("--confidence", metavar="SHARE", help="Confidence of intervals, such as 0.95.")
]
Scheduler = Annotated[
    str | None,
    typer.Option("--scheduler", metavar="ADDRESS", help="Dask cluster that reads the blocks, tcp://host:port."),
]
Seed = Annotated[int, typer.Option("--seed", help="Seed of the random numbers.")]

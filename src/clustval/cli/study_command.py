"""``clustval study`` answers: which criterion can be trusted. It runs the study of 2010 and writes its tables."""

from typing import Annotated

import typer

from clustval.cli import command_line, parameters


def study(
    part: Annotated[int, typer.Option("--part", "-p", min=1, max=2, help="1: small hierarchies; 2: k-means, larger.")],
    out: Annotated[str, typer.Option("--out", "-o", metavar="DIR", help="Directory for one file per data set.")],
    summary: Annotated[
        str | None,
        typer.Option("--summary", "-s", metavar="FILE", help="Write the tables into this Markdown file at the end."),
    ] = None,
    report: parameters.Report = None,
    limit: Annotated[
        int | None, typer.Option("--limit", "-n", min=1, help="Number of data sets, for a sample (default: all).")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of the random numbers.")] = 0,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", help="Number of data sets in parallel (default: one per core).")
    ] = None,
) -> None:
    """Which criterion can be trusted? Run the study of Vendramin, Campello and Hruschka (2010).

    A run that was stopped goes on where it was: give the same directory.

    clustval study --part 1 --out part1 --summary tables.md --report part1.html
    """
    import time  # noqa: PLC0415

    from clustval.cli import output  # noqa: PLC0415
    from clustval.study import part_one, part_two  # noqa: PLC0415
    from clustval.study import study_tables as tables  # noqa: PLC0415
    from clustval.whole_files import check_folder  # noqa: PLC0415

    output.check_report(report)
    if summary is not None:
        check_folder(summary)
    start = time.perf_counter()
    run = (part_one if part == 1 else part_two)(out, limit=limit, seed=seed, n_jobs=jobs, progress=True)
    took = time.perf_counter() - start
    finished, total = len(run.finished), len(run.design.data_sets())
    typer.echo(f"Part {part}: {finished} of {total} data sets are done in {out} ({took:.0f} s).")
    mosts = sorted(run.design.most, reverse=True)  # the larger is what the figures of the study show
    comparisons = run.compare_several(mosts if report is not None else mosts[:1], n_jobs=jobs)
    first = comparisons[0]
    title = f"Criteria by {first.correlation[0]} correlation with {first.external[0]}, k up to {mosts[0]}"
    output.print_table([{**row, "hit_rate": f"{row['hit_rate']:.0%}"} for row in first.ranking()], title=title)
    if summary is not None:
        tables.summary(run, summary, n_jobs=jobs)
        typer.echo(f"Wrote {summary}")
    if report is not None:
        from clustval import report as pages  # noqa: PLC0415

        about = pages.About(
            title=f"Part {part} of the study of 2010: which criterion can be trusted?",
            facts=[f"{finished} of {total} data sets", f"seed {seed}"],
            made_by=command_line(),
        )
        names = [f"k up to {most}" for most in mosts]
        pages.of_comparisons(dict(zip(names, comparisons, strict=True)), report, about=about)
        typer.echo(f"Wrote {report}")

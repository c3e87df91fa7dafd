"""Options that several commands share, so that one word means one thing everywhere."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from kreport.choices import EFFECT_PCT


class ConsoleOrJson(StrEnum):
    """What a command writes where there is nothing between a reader and a program."""

    CONSOLE = "console"
    JSON = "json"


Format = Annotated[ConsoleOrJson, typer.Option("--format", help="Written to standard output.")]
Strict = Annotated[
    bool | None,
    typer.Option("--strict", help="Rows set aside are errors (exit 3).", show_default=False),
]
Lenient = Annotated[
    bool | None,
    typer.Option(
        "--lenient",
        help="Use the sound rows of a file that would be refused.",
        show_default=False,
    ),
]
Encoding = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Encoding of files that are not UTF-8.", show_default=False),
]
Matrix = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Kernel-state matrix: .md, .json or .csv."),
]
Timer = Annotated[
    str | None,
    typer.Option(metavar="CLOCK", help="Only this clock: host, event, event_cold, ..."),
]
SummaryTimer = Annotated[
    str | None,
    typer.Option(
        "--timer", metavar="CLOCK", help="Clock that the summary is about; all rows stay."
    ),
]
History = Annotated[
    str | None,
    typer.Option(metavar="DIR", help="Earlier runs that noise is learnt from."),
]
Effect = Annotated[
    float | None,
    typer.Option(metavar="PCT", help=f"Change that matters to you, in percent ({EFFECT_PCT:g})."),
]
Inputs = Annotated[
    list[str] | None,
    typer.Argument(metavar="[CSV ...]", help="As for build; the configured ones else."),
]
Out = Annotated[
    str | None, typer.Option(metavar="DIR", help="Folder of the report (bench/reports).")
]
Lang = Annotated[str | None, typer.Option(metavar="en|zh", help="Language of the report.")]
Templates = Annotated[
    str | None,
    typer.Option(metavar="DIR", help="Templates that replace the shipped ones of the same name."),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Only say what went wrong.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Everything, not the worst alone.")]

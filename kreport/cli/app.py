"""The command line as a whole: which commands there are, and what every exit code comes from."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import sys
from typing import TYPE_CHECKING, NoReturn

import typer
from typer._click.exceptions import ClickException

from kreport import __version__
from kreport.errors import ExitCode, InputError, KReportError, OutputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType

app = typer.Typer(
    name="kreport",
    help="Reports on ported accelerator kernels that a team can believe.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@app.callback(invoke_without_command=True)
def kreport(
    version: bool = typer.Option(False, "--version", "-V", help="Print the version and leave."),
) -> None:
    """Reports on ported accelerator kernels that a team can believe."""
    if version:
        typer.echo(f"kreport {__version__}")
        raise typer.Exit


_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})
"""Files are named by `kreport.atomic`: what is left without a name is a full standard output."""


def run(argv: Sequence[str]) -> int:
    """Run one command line; return the exit code that `kreport.errors.ExitCode` documents."""
    _ensure_streams()
    signal.signal(signal.SIGTERM, _on_sigterm)
    try:
        result = app(args=list(argv), prog_name="kreport", standalone_mode=False)
        sys.stdout.flush()
    except ClickException as error:
        error.show()
        return ExitCode.USAGE
    except KReportError as error:
        _say_error(error)
        return error.exit_code
    except (KeyboardInterrupt, typer.Abort):
        return 128 + signal.SIGINT
    except (BrokenPipeError, SystemExit) as stop:
        if isinstance(stop, SystemExit) and stop.code != 1:
            raise
        # Typer exits 1 when the reader of our output went away, but 1 means "gate" here: end
        # quietly, as a program killed by SIGPIPE would.
        _discard_stdout()
        return 128 + signal.SIGPIPE
    except OSError as error:
        if error.errno not in _NO_ROOM and error.filename is not None:
            # A place that may not be looked at, that goes in circles, that is gone: the world's.
            _say_error(InputError(f"{error.filename}: {str(error.strerror).lower()}"))
            return ExitCode.INPUT
        if error.errno not in _NO_ROOM:
            _say_bug()
            return ExitCode.BUG
        _discard_stdout()
        _say_error(OutputError(f"standard output cannot be written: {error.strerror}".lower()))
        return ExitCode.INPUT
    except Exception:  # the last line of defence: exit 1 must only ever mean "gate"
        _say_bug()
        return ExitCode.BUG
    return result if isinstance(result, int) else ExitCode.DONE


def _say_error(error: KReportError) -> None:
    from kreport.report.problem_lines import problem_line
    from kreport.report.text import clean

    problems = error.problems if isinstance(error, InputError) else ()
    lines = [f"kreport: {line}" for line in clean(str(error)).split("\n")]
    lines += [problem_line(problem) for problem in problems]
    with contextlib.suppress(OSError):
        sys.stderr.write("\n".join(lines) + "\n")


def _say_bug() -> None:
    import traceback

    with contextlib.suppress(OSError):
        if os.environ.get("KREPORT_TRACEBACK"):
            traceback.print_exc()
        last = traceback.format_exc().strip().split("\n")[-1]
        sys.stderr.write(
            f"kreport: a bug in kreport {__version__}: {last}\n"
            "kreport: run again with KREPORT_TRACEBACK=1 in the environment for the details\n"
        )


def _on_sigterm(_signal: int, _frame: FrameType | None) -> NoReturn:
    raise SystemExit(128 + signal.SIGTERM)


def _ensure_streams() -> None:
    """Give a process started with closed streams somewhere to write to, and plain UTF-8."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123
        else:
            stream.reconfigure(encoding="utf-8", errors="replace")


def _discard_stdout() -> None:
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _register() -> None:
    """Add every command in the order in which ``--help`` lists them."""
    from kreport.cli import (
        bench,
        build,
        calibrate,
        check,
        config,
        diff,
        doctor,
        explain,
        summarize,
        trend,
    )

    commands = (
        (build.build, "Write the report after a benchmark run."),
        (diff.diff, "Say what really changed between two sets of runs."),
        (calibrate.calibrate, "Measure how far verdicts can be believed on your machine."),
        (trend.trend, "Show when each kernel got faster or slower."),
        (explain.explain, "Show how a kernel's class, ratio, band and verdict come about."),
        (check.check, "List everything that is wrong with files."),
        (summarize.summarize, "Reduce files of samples to one row a case."),
        (bench.bench, "Measure a suite, baseline against port, run by run."),
        (doctor.doctor, "Say whether the night job is healthy."),
        (config.config, "Show the settings in force and where they come from."),
    )
    for command, short_help in commands:
        app.command(short_help=short_help)(command)


_register()

"""The command line: as a process, or inside this one where a process would add nothing but time."""

import os
import sys
from collections.abc import Mapping
from subprocess import CompletedProcess

from typer.testing import CliRunner

from client import cli

COMMAND = (sys.executable, "-c", "import sys; from client.cli import main; sys.argv[0] = 'idlebrush'; main()")
"""The command that starts it like the installed `idlebrush`, whose name appears in its output."""


def idlebrush(
    *arguments: object, environment: Mapping[str, str] = os.environ, types: str = ""
) -> CompletedProcess[str]:
    """Run `idlebrush` with a standard input that is no terminal, and return its output and exit status."""
    words = [str(argument) for argument in arguments]
    runner = CliRunner(env=environment)
    with runner.isolation(types) as (out, err, _):
        status = _status(words)
        sys.stdout.flush()
        sys.stderr.flush()
        return CompletedProcess(words, status, out.getvalue().decode(), err.getvalue().decode())


def _status(words: list[str]) -> int:
    try:
        cli.main(words)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0

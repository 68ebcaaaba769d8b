"""The command line inside this process, for tests to which a process of its own would add nothing but time."""

import os
import sys
from collections.abc import Mapping
from subprocess import CompletedProcess

from typer.testing import CliRunner

from client import cli


def idlebrush(
    *arguments: object, environment: Mapping[str, str] = os.environ, types: str = ""
) -> CompletedProcess[str]:
    """What `idlebrush` prints and how it ends, where its standard input is no terminal."""
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

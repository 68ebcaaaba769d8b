"""What all tests share: a temporary folder of their own, gone at the end with whatever was left in it."""

import os
import shutil
import tempfile

import pytest

_BEFORE = os.environ.get("TMPDIR")


def pytest_configure(config: pytest.Config) -> None:
    """Sockets of processes that a test kills have nobody else to remove them."""
    tempfile.tempdir = None
    os.environ["TMPDIR"] = tempfile.mkdtemp(prefix="idlebrush-tests-")
    tempfile.tempdir = None


def pytest_unconfigure(config: pytest.Config) -> None:
    shutil.rmtree(os.environ["TMPDIR"], ignore_errors=True)
    if _BEFORE is None:
        del os.environ["TMPDIR"]
    else:
        os.environ["TMPDIR"] = _BEFORE
    tempfile.tempdir = None

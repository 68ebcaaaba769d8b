"""What a command fetches from the Hub ends where the user's monthly quota does."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from client.contribution.stats import TrainedRun
from client.generation.metered_download import MeteredDownload, metered_download
from client.paths import Paths
from client.preferences.preferences_file import change
from core.errors import DataError
from core.swarm.bandwidth import Line, ProcessLimiter, Way

RUN = TrainedRun("ab" * 32, "tiny")


def test_what_is_fetched_beyond_the_quota_is_refused_in_words() -> None:
    download = MeteredDownload(Line(), 1000)
    download.line.data.block(Way.DOWN, 1000)
    download.require_quota()
    download.line.data.block(Way.DOWN, 1)
    with pytest.raises(DataError, match="quota is used up"):
        download.require_quota()


def test_what_one_command_fetched_the_next_one_may_not_fetch_again(tmp_path: Path) -> None:
    paths = Paths.of_user({"IDLEBRUSH_HOME": str(tmp_path)})
    paths.prepare()
    change(paths.preferences, lambda old: old.model_copy(update={"monthly_quota": 10**9}))
    allowed, metered = list[int | None](), list[ProcessLimiter]()
    for _ in range(2):
        with metered_download(RUN, paths, Console(file=io.StringIO()), meter=metered.append) as download:
            assert metered[-1] is download.line.data
            allowed.append(download.allowed)
            download.line.data.block(Way.DOWN, 10**6)
    assert allowed == [10**9, 10**9 - 10**6]


def test_without_anything_to_fetch_nothing_is_written(tmp_path: Path) -> None:
    paths = Paths.of_user({"IDLEBRUSH_HOME": str(tmp_path / "home")})
    with metered_download(RUN, paths, Console(file=io.StringIO()), is_needed=False) as download:
        assert download.allowed is None
    assert not (tmp_path / "home").exists()

"""The page that invites tells the traffic of a day: by the run's real pace, and before there is one by its rules."""

import html
import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from coordinator.database.tables import Epoch
from coordinator.home import Home
from coordinator.web.wording import volume, whole
from core.run.control_traffic import OVERHEAD, SWARM_OF_COMPARISON, control_traffic
from core.run.describe import bytes_of_round, bytes_of_state
from core.run.expected_traffic import most_traffic
from core.run.rules import LocalStepRules, Overlap
from tests.coordinator.web.conftest import browsing
from tests.coordinator.web.sites import NOW, ServedSite, say_now, site
from tests.swarms.tiny_run import write_tiny_run

CLOCK = {"local_steps": LocalStepRules(round_seconds=300.0), "overlap": Overlap.FULL}


def writing(**run: Any) -> Callable[[Home], None]:
    """Return a function that writes a tiny run of these rules."""

    def write(home: Home) -> None:
        write_tiny_run(home.manifest.parent, **run)

    return write


def commit(shown: ServedSite, epochs: int, apart: float, peers: int = 4) -> None:
    """Enter epochs, so many seconds apart and the last one just now."""
    with shown.database.session() as session:
        session.add_all(
            Epoch(
                generation=0,
                epoch=number,
                time=NOW - timedelta(seconds=apart * (epochs - number)),
                samples=64,
                peers=peers,
                seconds=apart,
                root=f"{number:064x}",
            )
            for number in range(1, epochs + 1)
        )
    say_now(shown, epochs)


def told(shown: ServedSite) -> str:
    """Return what the page says of traffic."""
    page = browsing(shown).get("/join").text
    found = re.search(r"<dt>Traffic</dt><dd>(.*?)</dd>", page, re.DOTALL)
    assert found is not None
    return " ".join(html.unescape(found[1]).replace("\u00a0", " ").split())


def amounts(shown: ServedSite, seconds: float, peers: int, epochs: float) -> tuple[str, str, str]:
    """Return the bytes down and up of a computer behind a router, and those of one that others connect to."""
    training = shown.context.manifest.training
    values, aggregates, _ = bytes_of_round(training)
    beside, most = control_traffic(seconds, peers), most_traffic(training, seconds, peers)
    each = (OVERHEAD * aggregates + beside.down, OVERHEAD * values + beside.up, most.most)
    down, up, both = (volume(epochs * size).replace("\u00a0", " ") for size in each)
    return down, up, both


def test_the_traffic_of_a_day_is_told_at_the_pace_of_the_newest_epochs(tmp_path: Path) -> None:
    with site(tmp_path / "home", write_run=writing(epochs=10**6)) as shown:
        commit(shown, epochs=1000, apart=120.0)
        down, up, most = amounts(shown, 120.0, 5, 720.0)
        text = told(shown)
    assert text.startswith(
        f"about {down} a day down and {up} up in a swarm of 5 computers, at the pace of the newest 720 epochs, which "
        "took 1 d. "
    )
    assert f"up to {most} each way then" in text
    state = volume(OVERHEAD * bytes_of_state(shown.context.manifest.training)).replace("\u00a0", " ")
    assert f" The model’s state, {state}, is fetched from other computers first. " in text


def test_a_run_that_ends_sooner_tells_what_is_left_of_it(tmp_path: Path) -> None:
    with site(tmp_path / "home", write_run=writing(epochs=200)) as shown:
        commit(shown, epochs=160, apart=120.0)
        down, up, most = amounts(shown, 120.0, 5, 40)
        text = told(shown)
    assert text.startswith(f"about {down} down and {up} up for the 40 epochs that are left in a swarm of 5")
    assert "a day" not in text
    assert f"up to {most} each way then" in text


def test_a_run_that_has_made_all_of_its_epochs_takes_nothing(tmp_path: Path) -> None:
    with site(tmp_path / "home", write_run=writing(epochs=20)) as shown:
        commit(shown, epochs=20, apart=120.0)
        assert told(shown) == "none: the run has made all of its epochs"


@pytest.mark.parametrize(
    ("rules", "seconds", "words"),
    [
        (CLOCK, 300.0, ("at most about ", "epochs are at least 5 min apart", "no pace was measured yet")),
        ({}, 6.0, ("about ", "if there is an epoch every 6 s", "No pace was measured yet")),
    ],
    ids=["rounds by the clock", "rounds by samples"],
)
def test_before_there_are_epochs_the_rules_give_a_figure_that_is_called_so(
    tmp_path: Path, rules: dict[str, Any], seconds: float, words: tuple[str, ...]
) -> None:
    with site(tmp_path / "home", write_run=writing(epochs=10**6, **rules)) as shown:
        down, up, most = amounts(shown, seconds, SWARM_OF_COMPARISON, 86_400 / seconds)
        text = told(shown)
    assert text.startswith(
        f"{words[0]}{down} a day down and {up} up in a swarm of {whole(SWARM_OF_COMPARISON)} "
    )
    assert all(word in text for word in words)
    assert "fetched" not in text, "there is no state yet that others have made"
    assert f"up to {most} each way then" in text

"""The texts of a text run for visitors: as text, whatever they have in them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from coordinator.home import Home
from coordinator.ledger.history import take_down
from coordinator.web.figures import sheets
from tests.coordinator.web.conftest import browsing
from tests.coordinator.web.markup import ParsedPage
from tests.coordinator.web.sites import HOSTILE, PROMPTS, ServedSite, add_frames, site
from tests.swarms.text_run import write_text_run

TEXTS = (
    f" and {HOSTILE} \u202emore\x1b[31m",
    " قال الرجل\nсегодня 今日",
    "w" * 590,
    " {{ 7 * 7 }} &amp; </p><p>",
    "",
)


@pytest.fixture
def written(tmp_path: Path) -> Iterator[ServedSite]:
    """A site of a text run whose model wrote hostile texts."""

    def write_run(home: Home) -> None:
        write_text_run(home.manifest.parent, prompts=PROMPTS)

    with site(tmp_path / "home", write_run=write_run) as made:
        add_frames(made, (5,), texts=("earlier",) * len(PROMPTS))
        add_frames(made, (10,), texts=TEXTS)
        yield made


@pytest.fixture
def visitor(written: ServedSite) -> Iterator[TestClient]:
    with browsing(written) as client:
        yield client


@pytest.mark.parametrize("path", ["/", "/gallery"])
def test_texts_are_shown_as_text_alone(visitor: TestClient, path: str) -> None:
    text = visitor.get(path).text
    page = ParsedPage(text)
    assert page.faults == []
    words = "".join(page.words)
    assert f"{PROMPTS[0]} and {HOSTILE} more�[31m" in words
    assert f"{PROMPTS[1]} قال الرجل\nсегодня 今日" in words
    assert " {{ 7 * 7 }} &amp; </p><p>" in words
    assert HOSTILE not in text
    assert text.count('<p class="writing" dir="auto" lang="">') == (
        len(PROMPTS) * (2 if path == "/gallery" else 1)
    )
    assert 'class="tile"' not in text
    assert not any(link.endswith(".png") for link in page.links)


def test_what_was_taken_down_is_not_shown(written: ServedSite, visitor: TestClient) -> None:
    with written.database.session() as session:
        take_down(session, 10)
    text = visitor.get("/gallery").text
    assert "earlier" in text
    assert "سегодня" not in text
    assert "{{ 7 * 7 }}" not in text


def test_frames_of_earlier_versions_have_cards_and_no_texts(written: ServedSite, visitor: TestClient) -> None:
    add_frames(written, (15,))
    text = visitor.get("/").text
    assert text.count('class="tile"') == len(PROMPTS)
    assert 'class="writing"' not in text


@pytest.mark.parametrize("is_there", [True, False], ids=["incomplete", "away"])
def test_a_file_that_was_not_whole_once_is_read_again(written: ServedSite, is_there: bool) -> None:
    file = written.context.home.frames / "g0-epoch-0000010.webp"
    whole = file.read_bytes()

    def newest() -> tuple[str, ...]:
        with written.database.reading() as session:
            return sheets(written.context, session, 1)[0].texts

    if is_there:
        file.write_bytes(whole[: len(whole) // 2])
    else:
        file.unlink()
    assert newest() == ()
    file.write_bytes(whole)
    assert len(newest()) == len(PROMPTS)
    file.unlink()
    assert len(newest()) == len(PROMPTS), "texts that were read once are kept"

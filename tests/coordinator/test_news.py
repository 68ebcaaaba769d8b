"""News of the organiser: signed with the contact part, bounded, taken back, and shown by command and website."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from coordinator.errors import NewsError
from coordinator.home import Home
from coordinator.news import add_news, remove_news
from core.run.contact import MOST_NEWS, NewsItem
from core.run.manifest import RunManifest
from core.signing import SigningKey
from tests.command_line import idlebrush
from tests.coordinator.homes import make_home
from tests.coordinator.web.conftest import browsing
from tests.coordinator.web.markup import ParsedPage
from tests.coordinator.web.sites import site

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
TEXT = "We <script>rest</script> on Sunday.\n\nSee https://run.example/a?b=1&c=2"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return make_home(tmp_path / "home")


def texts(home: Home) -> list[str]:
    return [item.text for item in RunManifest.load(home.manifest).contact.news]


def test_news_are_signed_with_the_contact_part_newest_first(home: Home) -> None:
    before = RunManifest.load(home.manifest)
    for number in range(MOST_NEWS + 2):
        add_news(home, f" Message {number} ", NOW)
    after = RunManifest.load(home.manifest)
    assert after.contact.serial == before.contact.serial + MOST_NEWS + 2
    assert after.training_digest == before.training_digest
    assert texts(home) == [f"Message {number}" for number in range(MOST_NEWS + 1, 1, -1)]


def test_a_message_is_taken_back_by_its_number(home: Home) -> None:
    for text in ("one", "two", "three"):
        add_news(home, text, NOW)
    remove_news(home, 2, NOW)
    assert texts(home) == ["three", "one"]
    with pytest.raises(NewsError, match="no message 3"):
        remove_news(home, 3, NOW)


@pytest.mark.parametrize("text", ["", "   ", "x" * 1001, "\x1b[31mred"])
def test_what_is_no_message_is_refused(home: Home, text: str) -> None:
    with pytest.raises(NewsError, match="no message"):
        add_news(home, text, NOW)
    assert texts(home) == []


def test_the_commands_add_list_and_remove(home: Home) -> None:
    def say(*words: object) -> str:
        done = idlebrush("coordinator", "news", *words, "--home", home.root)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "There are none" in say("list")
    assert "within eight hours" in say("add", "Thank you all.")
    assert "1  20" in say("list")
    assert "Thank you all." in say("list")
    assert "Removed" in say("remove", 1)
    assert texts(home) == []


def tell(home: Home) -> None:
    """Write a message into the manifest of a site, which has no organiser's key."""
    known = RunManifest.load(home.manifest)
    contact = known.contact.model_copy(update={"news": (NewsItem(at=NOW, text=TEXT),)})
    RunManifest.create(known.training, contact, SigningKey.generate()).save(home.manifest)


def test_the_dashboard_shows_news_as_text_and_links_in_full(tmp_path: Path) -> None:
    with site(tmp_path / "silent") as silent, browsing(silent) as client:
        assert "News from the organiser" not in client.get("/dashboard").text
    with site(tmp_path / "home") as shown, browsing(shown) as client:
        tell(shown.context.home)
        answer = client.get("/dashboard").text
    assert ParsedPage(answer).faults == []
    assert "We &lt;script&gt;rest&lt;/script&gt; on Sunday." in answer
    assert ">https://run.example/a?b=1&amp;c=2</a>" in answer

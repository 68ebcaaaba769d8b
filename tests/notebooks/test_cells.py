"""What cells show: pages as HTML and text, whatever strangers call themselves, and errors without a traceback."""

from html.parser import HTMLParser
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from client.api.candidate import CandidateStage, CandidateView, GateView, PlanView
from client.api.errors import JoinError
from client.api.snapshot import Activity, SignInView, Snapshot
from client.notebook.cells import CellPage, NotebookError, in_words
from client.notebook.pages import fetching_page, left_page, preview_page, sign_in_page, training_page
from client.notebook.training import reason_to_leave
from tests.client.snapshots import FULL, IDLE, NOW

HOSTILE = '<img src=x onerror="alert(1)">\'&'
GATE = GateView(
    coordinator="https://run.example", key="ab" * 32, issuer="https://huggingface.co", admits="anyone"
)
CANDIDATE = CandidateView(
    location="link",
    stage=CandidateStage.READY,
    title=HOSTILE,
    description=HOSTILE,
    fingerprint=HOSTILE,
    parameters=1000,
    total_epochs=20,
    download_bytes=5_000_000,
    plan=PlanView(
        fits=True,
        device="",
        techniques=(),
        micro_batch=1,
        gpu_bytes=0,
        ram_bytes=1,
        text=f"It fits. {HOSTILE}",
    ),
    gate=GATE,
)
CODE = SignInView(address="https://huggingface.co/device", code="ABCD-1234", expires=NOW)
FULL_HOSTILE = FULL.model_copy(update={"headline": HOSTILE})


class Tags(HTMLParser):
    """The tags of a page, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words += data


@pytest.mark.parametrize(
    "page",
    [
        preview_page(CANDIDATE, "always"),
        fetching_page(CANDIDATE),
        training_page(FULL_HOSTILE, NOW, None),
        sign_in_page(CODE.model_copy(update={"address": f"javascript:alert(1){HOSTILE}", "code": HOSTILE})),
        left_page(HOSTILE, FULL),
    ],
    ids=["preview", "fetching", "training", "sign-in", "left"],
)
def test_a_page_is_harmless_whatever_strangers_call_themselves(page: CellPage) -> None:
    parsed = Tags(page.html)
    assert {tag for tag, _ in parsed.tags} <= {
        *("div", "p", "table", "tr", "th", "td", "small", "code", "a"),
    }
    assert not [name for _, attributes in parsed.tags for name in attributes if name.startswith("on")]
    assert not [attributes for tag, attributes in parsed.tags if tag == "a"], "it leads to no script"
    assert HOSTILE in parsed.words
    assert HOSTILE in page.text


def test_a_code_is_shown_with_the_link_where_it_is_entered() -> None:
    page = sign_in_page(CODE)
    assert ("a", "https://huggingface.co/device") in [
        (tag, found.get("href")) for tag, found in Tags(page.html).tags
    ]
    assert page.text.splitlines()[1] == "Open https://huggingface.co/device and enter ABCD-1234."


def test_a_preview_says_when_the_machine_trains() -> None:
    assert "When: all the time" in preview_page(CANDIDATE, "always").text
    assert "When: while your limits allow it" in preview_page(CANDIDATE, "preferences").text


def test_the_progress_says_what_matters_to_whoever_looks_in() -> None:
    text = training_page(FULL, NOW, 3600.0).text
    for words in (
        FULL.headline,
        "The disk is nearly full. Free some space.",
        "Epoch: 35 of 600 · 48/96 samples · next in 12 s",
        "Loss: 3.1235",
        "Swarm: 12 peers · 34.5 samples/s, 2.1 of them yours",
        "You gave: 52,113 samples in 41 epochs",
        "Leaves: in 1 h 00 min",
        "Interrupt this cell to leave the run in order.",
    ):
        assert words in text
    assert "Epoch" not in training_page(IDLE, NOW, None).text


@pytest.mark.parametrize(
    ("snapshot", "left", "needed", "why"),
    [
        (FULL, None, 0.0, None),
        (FULL, 1.0, 599.0, None),
        (FULL, 0.0, 0.0, "The time that you set is over."),
        (FULL.model_copy(update={"activity": Activity.COMPLETE}), None, 0.0, "The run is complete."),
        (FULL.model_copy(update={"run": None}), None, 0.0, "No run is joined."),
        (FULL, None, 600.0, f"It could not go on by itself: {FULL.headline}"),
    ],
)
def test_a_run_is_left_when_nothing_more_can_be_done(
    snapshot: Snapshot, left: float | None, needed: float, why: str | None
) -> None:
    assert reason_to_leave(snapshot, left, needed) == why


def test_an_error_is_shown_in_two_lines(capsys: pytest.CaptureFixture[str]) -> None:
    def join() -> None:
        with in_words():
            raise JoinError("There is no run.", "Give its link.")

    shell: Any = InteractiveShell.instance()
    try:
        shell.push({"join": join})
        assert isinstance(shell.run_cell("join()").error_in_exec, NotebookError)
    finally:
        InteractiveShell.clear_instance()
    assert capsys.readouterr().out.splitlines() == ["There is no run.", "Give its link."]

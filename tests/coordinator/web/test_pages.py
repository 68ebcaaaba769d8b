"""Every page of the website: without data, with all of it, and with strangers' words in it."""

import io
import os
import re
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from coordinator.home import Home
from coordinator.web.app import create_app
from core.admission.receipts import SignedCertificate
from core.run.encodings import LowRank
from core.run.rules import LocalStepRules, Overlap
from tests.coordinator.web.conftest import GENEROUS, browsing
from tests.coordinator.web.markup import ParsedPage
from tests.coordinator.web.sites import HOSTILE, HOSTILE_NAME, PROMPTS, ServedSite, add_frames, say_now, site
from tests.swarms.text_run import write_text_run
from tests.swarms.tiny_run import write_tiny_run

PAGES = (
    "/",
    "/dashboard",
    "/leaderboard",
    "/leaderboard?by=time&since=week",
    "/leaderboard?name=nobody",
    "/teams",
    "/teams?since=week&name=nobody",
    "/teams/1",
    "/gallery",
    "/join",
    "/calculator",
    "/calculator?model=gpt3-175b&gpu=0&where=alone",
    "/calculator?model=x",
    "/method",
    "/security",
    "/recipe",
    "/checkpoints",
    "/api",
    "/me",
    "/me/enter?code=abc",
    "/volunteers/nobody",
    "/no/such/page",
    "/leaderboard?offset=x",
)
OF_VOLUNTEERS = (
    "/volunteers/ada",
    "/volunteers/ada/certificate",
    f"/volunteers/{quote(HOSTILE_NAME)}",
    f"/leaderboard?name={quote(HOSTILE_NAME)}",
    "/volunteers/кисть",
    "/leaderboard?name=%3Cscript%3E",
)


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_whole_before_anything_happened(empty_client: TestClient, path: str) -> None:
    _check(empty_client, path)


@pytest.mark.parametrize("path", PAGES + OF_VOLUNTEERS)
def test_a_page_is_whole_and_harmless_whatever_strangers_call_themselves(
    client: TestClient, path: str
) -> None:
    answer = _check(client, path)
    assert HOSTILE not in answer
    assert "<img src=x" not in answer


def _check(client: TestClient, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code < 500
    assert ParsedPage(answer.text).faults == []
    policy = answer.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert "set-cookie" not in answer.headers
    return str(answer.text)


def test_a_notebook_trains_once_it_has_joined(client: TestClient) -> None:
    """A notebook has no user whose absence would let it train: its run mode must say so before it joins."""
    lines = re.findall(r"^(?:<pre><code>)?!(.+?)(?:</code></pre>)?$", client.get("/join").text, re.MULTILINE)
    verbs = [line.partition("bin/idlebrush ")[2] for line in lines[2:]]
    assert "source.tar.gz" in lines[0]
    assert lines[1] == "make -C idlebrush install"
    assert verbs[0] == "prefs set run-mode always"
    assert verbs[1].startswith("join --yes ")
    assert verbs[2] == "status --watch"


def test_the_source_that_the_pages_link_to_can_be_installed(client: TestClient, tmp_path: Path) -> None:
    answer = client.get("/source.tar.gz")
    assert answer.headers["content-type"] == "application/gzip"
    with tarfile.open(fileobj=io.BytesIO(answer.content)) as tar:
        assert {(member.uid, member.uname) for member in tar} == {(0, "")}
        tar.extractall(tmp_path, filter="data")
    source = tmp_path / "idlebrush"
    assert not [path for path in source.rglob("*") if path.name.startswith(".") or path.suffix == ".pyc"]
    planned = subprocess.run(
        ["make", "-n", "-C", source, "install"], capture_output=True, text=True, check=False
    )
    assert planned.returncode == 0, planned.stderr
    command = [sys.executable, "-P", "-m", "client.cli", "demo", "--help"]
    run = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": str(source)}, cwd=tmp_path, capture_output=True, check=False
    )
    assert run.returncode == 0, run.stderr


def test_a_later_page_of_the_leaderboard_leads_back_in_the_same_order(client: TestClient) -> None:
    links = ParsedPage(client.get("/leaderboard?by=time&since=all&offset=1").text).links
    assert "/leaderboard?by=time&since=all&offset=0" in links


def test_a_fault_of_ours_is_told_without_its_words(empty: ServedSite) -> None:
    def fail() -> None:
        raise RuntimeError("secret of the organiser")

    app = create_app(empty.context, GENEROUS, empty.clock.monotonic)
    app.add_api_route("/fails", fail)
    answer = TestClient(app, raise_server_exceptions=False).get("/fails", headers={"Accept": "text/html"})
    assert answer.status_code == 500
    assert "secret" not in answer.text
    assert ParsedPage(answer.text).faults == []
    assert "default-src 'self'" in answer.headers["content-security-policy"]


def test_all_that_pages_link_to_is_there(client: TestClient) -> None:
    seen: set[str] = set()
    waiting = ["/"]
    while waiting:
        path = waiting.pop()
        answer = client.get(path, headers={"Accept": "text/html"})
        assert answer.status_code == 200, path
        if answer.headers["content-type"].startswith("text/html"):
            own = {link.partition("#")[0] for link in ParsedPage(answer.text).links if link.startswith("/")}
            waiting += sorted(own - seen - {"/source.tar.gz"})
            seen |= own
    assert {"/dashboard", "/volunteers/ada", "/recipe"} <= seen


def test_the_first_page_tells_of_run_and_volunteers_without_a_script(
    client: TestClient, full: ServedSite
) -> None:
    words = " ".join(ParsedPage(client.get("/").text).words)
    assert f"Run {HOSTILE}" in words
    assert full.context.manifest.fingerprint in words
    assert "ada" in words
    assert PROMPTS[2] in words


def test_the_dashboard_has_its_numbers_and_curves_without_a_script(client: TestClient) -> None:
    page = ParsedPage(client.get("/dashboard").text)
    words = " ".join(page.words)
    assert "GPU up to 24 GiB" in words
    assert page.tags.count("polyline") == 5
    assert "Not at all: outgoing connections only 3" in words
    assert re.search(r"\b40\b", words)


def test_a_hidden_volunteer_is_on_the_board_without_a_name_and_has_no_page(client: TestClient) -> None:
    board = client.get("/leaderboard").text
    assert "shy-person" not in board
    assert "A volunteer without a name" in board
    assert client.get("/volunteers/shy-person").status_code == 404


def test_a_certificate_is_given_as_a_file_that_anybody_can_check(
    client: TestClient, full: ServedSite
) -> None:
    answer = client.get("/volunteers/ada/certificate.json")
    assert "attachment" in answer.headers["content-disposition"]
    signed = SignedCertificate.parse(answer.content)
    gate, run = full.context.gate_key.public_key, full.context.manifest.training_digest
    stated = signed.verify(gate=gate, run=run)
    assert stated.name == "ada"
    assert signed.code in client.get("/volunteers/ada/certificate").text
    assert client.get("/volunteers/shy-person/certificate.json").status_code == 404


def test_a_failure_is_json_for_programs_and_a_page_for_people(client: TestClient) -> None:
    assert client.get("/nothing").headers["content-type"].startswith("text/html")
    for path, accept in (("/api/nothing", "text/html"), ("/nothing", "*/*")):
        answer = client.get(path, headers={"Accept": accept})
        assert answer.status_code == 404
        assert set(answer.json()) == {"code", "what", "remedy"}


def test_what_cannot_be_understood_is_not_repeated(client: TestClient) -> None:
    answer = client.get("/api/history", params={"points": HOSTILE})
    assert answer.status_code == 422
    assert answer.json()["code"] == "request"
    assert "<" not in answer.text


def test_the_site_describes_itself_to_machines(client: TestClient, full: ServedSite) -> None:
    address = full.context.settings.address
    assert f"Sitemap: {address}/sitemap.xml" in client.get("/robots.txt").text
    assert f"<loc>{address}/method</loc>" in client.get("/sitemap.xml").text
    assert client.get("/favicon.ico").headers["content-type"] == "image/svg+xml"


def test_a_run_by_the_clock_tells_of_time_and_not_of_samples(tmp_path: Path) -> None:
    def write(home: Home) -> None:
        local = LocalStepRules(round_seconds=240.0)
        write_tiny_run(home.manifest.parent, overlap=Overlap.FULL, local_steps=local)

    with site(tmp_path / "home", write_run=write) as shown:
        say_now(shown, 3, gathered=100, seconds_to_next=60.0, round_seconds=240.0)
        found = browsing(shown)
        assert "one is due 4\u00a0min after the one before" in found.get("/method").text
        about = found.get("/").text + found.get("/join").text
        assert "What all volunteers compute in 4\u00a0min, then one step" in about
        page = ParsedPage(found.get("/dashboard").text)
        words = " ".join(page.words)
    assert "100 samples, in an epoch of 4\u00a0min about 1\u00a0min to go" in words
    assert "wait for the round" not in words


def test_a_run_of_low_rank_tells_how_its_gradients_travel(tmp_path: Path) -> None:
    def write(home: Home) -> None:
        write_tiny_run(home.manifest.parent, gradient_encoding=LowRank(rank=2))

    with site(tmp_path / "home", write_run=write) as shown:
        found = browsing(shown)
        assert "factors of rank 2 in 16 bits" in found.get("/method").text
        assert "factors of rank 2 in 16 bits" in found.get("/").text + found.get("/join").text


def test_pages_explain_gradients_of_a_run_that_averages_them(tmp_path: Path) -> None:
    method, recipe = _explanations(tmp_path, local_steps=None)
    assert "It adds up the gradients of its samples." in method
    assert "The gradients are cut into parts" in method
    assert "twice the size of the encoded gradients" in method
    assert "drift" not in _moves(method)
    assert "this run, which averages gradients" in recipe


def test_pages_explain_local_steps_of_a_run_that_makes_them(tmp_path: Path) -> None:
    method, recipe = _explanations(tmp_path, overlap=Overlap.FULL, local_steps=LocalStepRules(steps=8))
    assert "makes about 8 optimizer steps in an epoch" in method
    assert "The drifts are cut into parts" in method
    assert "When all together have reached the target" in method
    assert "gradients" not in _moves(method)
    assert "one encoded drift and one encoded mean" in recipe
    assert "gradients" not in recipe


def test_the_method_tells_when_an_epoch_is_due_by_the_clock(tmp_path: Path) -> None:
    method, _ = _explanations(
        tmp_path, overlap=Overlap.FULL, local_steps=LocalStepRules(steps=8, round_seconds=240.0)
    )
    assert "one is due 4\xa0min after the one before" in method
    assert "reached the target" not in method


def _explanations(folder: Path, **swarm: Any) -> tuple[str, str]:
    """Return the text of the pages on the method and on new runs, for a run of these swarm rules."""

    def write(home: Home) -> None:
        write_tiny_run(home.manifest.parent, **swarm)

    with site(folder / "home", write_run=write) as shown:
        found = browsing(shown)
        pages = [ParsedPage(_check(found, path)) for path in ("/method", "/recipe")]
    method, recipe = ("".join(page.words) for page in pages)
    return method, recipe


def _moves(method: str) -> str:
    """Return what the page on the method tells of accumulating, grouping and reducing."""
    found = method.partition("1. Accumulate")[2].partition("4. Commit")[0]
    assert "Reduce" in found
    return found


def test_pages_of_a_run_of_text_speak_of_no_pictures(tmp_path: Path) -> None:
    def write_run(home: Home) -> None:
        write_text_run(home.manifest.parent, prompts=PROMPTS)

    with site(tmp_path / "home", write_run=write_run) as made:
        add_frames(made, (5,))
        with browsing(made) as client:
            pages = {
                path: client.get(path).text for path in ("/", "/gallery", "/method", "/join", "/checkpoints")
            }
        product = made.context.manifest.training.product
    assert f"What it {product.verb} now" in pages["/"]
    assert f"{product.done.capitalize()} after epoch" in pages["/"]
    assert f"makes {product.things} of the run’s prompts" in pages["/gallery"]
    assert f"the newest {product.things}" in pages["/join"]
    assert "VQ-GAN (Esser et al., 2021), and a computer reads" not in pages["/method"]
    for text in pages.values():
        assert "idlebrush generate" not in text
        assert not re.search(r"(draws|drawn|paint\b|All pictures)", text)

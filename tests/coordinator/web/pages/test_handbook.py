"""The handbook: built from its pages, served by the website under its policy, and read in Chromium on a phone."""

import html
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote, urldefrag

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright
from starlette.testclient import TestClient

from coordinator.web.app import create_app
from coordinator.web.pages.handbook import built_handbook
from docs.handbook.__main__ import build, main
from tests.coordinator.web.conftest import GENEROUS, browsing
from tests.coordinator.web.serving import served
from tests.coordinator.web.sites import ServedSite, site

PHONE = {"width": 390, "height": 844}
READ = (
    "index.html",
    "install.html",
    "volunteers/trouble.html",
    "organisers/afternoon.html",
    "developers/adding.html",
    "preferences.html",
    "architecture.html",
    "first-evening.html",
    "large-models.html",
)
ID = re.compile(r'\sid="([^"]+)"')
LINK = re.compile(r'\s(?:href|src)="([^"]+)"')
INLINE = re.compile(r"<script>|<style|\sstyle=\"|\son[a-z]+=\"")
"""What the website's policy forbids on a page."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("handbook") / "docs"
    assert build(folder)
    return folder


@pytest.fixture(scope="module")
def pages(built: Path) -> dict[str, str]:
    return {str(file.relative_to(built)): file.read_text() for file in sorted(built.rglob("*.html"))}


@pytest.fixture(scope="module")
def shown(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedSite]:
    with site(tmp_path_factory.mktemp("served") / "home") as made:
        yield replace(made, context=replace(made.context, handbook=built))


@pytest.fixture(scope="module")
def client(shown: ServedSite) -> Iterator[TestClient]:
    with browsing(shown) as made:
        yield made


def test_every_page_is_built_and_is_small_enough_to_serve(built: Path, pages: dict[str, str]) -> None:
    assert {"index.html", "search.html", *READ} <= set(pages)
    assert sum(file.stat().st_size for file in built.rglob("*") if file.is_file()) < 12e6


def test_links_and_anchors_lead_somewhere(built: Path, pages: dict[str, str]) -> None:
    anchors = {name: set(ID.findall(text)) for name, text in pages.items()}
    wrong = []
    for name, text in pages.items():
        for link in {html.unescape(found) for found in LINK.findall(text)}:
            if link.startswith(("http:", "https:", "/")):
                continue
            address, anchor = urldefrag(link.partition("?")[0] if "#" not in link else link)
            place = (built / name).parent / unquote(address) if address else built / name
            target = str(place.resolve().relative_to(built.resolve()))
            if not place.is_file() or (anchor and unquote(anchor) not in anchors[target]):
                wrong.append((name, link))
    assert wrong == []


def test_pages_have_no_scripts_and_styles_of_their_own_and_load_nothing_from_elsewhere(
    pages: dict[str, str],
) -> None:
    assert [(name, found) for name, text in pages.items() if (found := INLINE.search(text))] == []
    loaded = {
        (name, address)
        for name, text in pages.items()
        for address in re.findall(r'<(?:script|img|link|source)[^>]*\s(?:src|href)="(https?:[^"]+)"', text)
    }
    assert loaded == set()


def test_the_search_knows_words_of_all_parts(built: Path) -> None:
    index = (built / "searchindex.js").read_text()
    for word in ("virtualis", "moder", "draft", "simul"):
        assert word in index, word


@pytest.mark.parametrize(
    "text",
    [
        "# Page\n\n[there](#no-such-heading)\n",
        "# Page\n\n[there](missing.md)\n",
        "# Page\n\n```sh\nls\n```\n",
        "# Page\n\n```sh perhaps\nls\n```\n",
    ],
)
def test_a_wrong_page_ends_the_build_and_keeps_the_site_of_before(tmp_path: Path, text: str) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "index.md").write_text(text)
    (tmp_path / "site" / "_static").mkdir(parents=True)
    (tmp_path / "site" / "_static" / "handbook.css").touch()
    (tmp_path / "site" / "index.html").write_text("before")
    assert not build(tmp_path / "site", tmp_path / "pages")
    assert (tmp_path / "site" / "index.html").read_text() == "before"
    assert sorted(item.name for item in tmp_path.iterdir()) == ["pages", "site"]


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "letter.txt").write_text("mine")
    for place in (tmp_path / "site", tmp_path / "site" / "letter.txt"):
        with pytest.raises(SystemExit, match="2"):
            main([str(place)])
        assert "has files that are no handbook. Name an empty folder" in capsys.readouterr().err
    assert (tmp_path / "site" / "letter.txt").read_text() == "mine"


def test_the_website_serves_it_and_leads_to_it(client: TestClient) -> None:
    moved = client.get("/docs", follow_redirects=False)
    assert (moved.status_code, moved.headers["location"]) == (302, "/docs/")
    first = client.get("/docs/")
    assert first.status_code == 200
    assert first.headers["content-security-policy"].startswith("default-src 'self'")
    assert "max-age=300" in first.headers["cache-control"]
    assert client.get("/docs/_static/handbook.css").headers["content-type"].startswith("text/css")
    assert client.get("/docs/searchindex.js").headers["content-type"].startswith("text/javascript")
    assert 'href="/docs/"' in client.get("/").text


@pytest.mark.parametrize(
    "path",
    [
        "/docs/nothing.html",
        "/docs/_static",
        "/docs/%2e%2e/secret",
        "/docs/..%2fsecret",
        "/docs/a%00b",
        f"/docs/{'a' * 300}",
    ],
)
def test_nothing_beside_the_handbook_is_served(built: Path, client: TestClient, path: str) -> None:
    (built.parent / "secret").write_text("secret")
    assert client.get(path).status_code == 404


def test_a_site_without_it_says_how_to_build_it(empty_client: TestClient) -> None:
    for path in ("/docs", "/docs/", "/docs/install.html"):
        answer = empty_client.get(path)
        assert answer.status_code == 404
        assert "make docs" in answer.text
    assert 'href="/docs/"' not in empty_client.get("/").text


def test_the_handbook_of_a_wheel_comes_before_that_of_a_checkout(tmp_path: Path) -> None:
    of_wheel, of_checkout = tmp_path / "wheel", tmp_path / "checkout"
    folders = (of_wheel, of_checkout)
    assert built_handbook(folders) is None
    for folder in reversed(folders):
        folder.mkdir()
        assert built_handbook(folders) != folder, "it is empty"
        (folder / "index.html").write_text("built")
        assert built_handbook(folders) == folder


@pytest.fixture(scope="module")
def address(shown: ServedSite) -> Iterator[str]:
    with served(create_app(shown.context, GENEROUS)) as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        yield launched
        launched.close()


@pytest.fixture
def phone(browser: Browser, address: str) -> Iterator[Page]:
    """A tab of a phone's width, in which nothing may be refused, fail or leave the host."""
    context = browser.new_context(base_url=address, viewport=PHONE, color_scheme="dark")  # type: ignore[arg-type]
    tab, troubles = context.new_page(), list[str]()
    tab.on("console", lambda message: troubles.append(message.text) if message.type == "error" else None)
    tab.on("pageerror", lambda error: troubles.append(str(error)))
    tab.on(
        "request",
        lambda request: troubles.append(request.url) if not request.url.startswith(address) else None,
    )
    yield tab
    context.close()
    assert troubles == []


def test_pages_fit_a_phone(phone: Page) -> None:
    for name in READ:
        phone.goto(f"/docs/{name}")
        expect(phone.get_by_role("heading", level=1)).to_be_visible()
        assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], name


def test_the_search_finds_a_word_and_leads_to_it(phone: Page) -> None:
    phone.goto("/docs/")
    phone.locator("label.nav-overlay-icon").click()
    expect(phone.get_by_role("link", name="To the run’s website")).to_be_visible()
    phone.get_by_placeholder("Search").fill("exclusive-applications")
    phone.get_by_placeholder("Search").press("Enter")
    found = phone.locator("#search-results").get_by_role("link", name="Choosing preferences")
    expect(found.first).to_be_visible(timeout=20_000)
    found.first.click()
    expect(phone.get_by_role("heading", level=1)).to_have_text(re.compile("Choosing preferences"))


def test_the_reader_chooses_light_or_dark(phone: Page) -> None:
    phone.goto("/docs/")
    colours = set()
    for _ in range(3):
        colours.add(phone.evaluate("getComputedStyle(document.body).backgroundColor"))
        phone.locator(".theme-toggle-header .theme-toggle").click()
    assert len(colours) == 2

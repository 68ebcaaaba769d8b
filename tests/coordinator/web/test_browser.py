"""The website in a real browser: what scripts add, and that nothing of it breaks its own policy."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from coordinator.packages.folder import PackageFolder
from coordinator.web.app import create_app
from coordinator.web.events import Broadcast
from tests.coordinator.packages.built import DEB, KINDS, build
from tests.coordinator.web.conftest import GENEROUS
from tests.coordinator.web.serving import served
from tests.coordinator.web.sites import PEOPLE, ServedSite, add_epochs, fill, say_now, site

PATHS = (
    "/",
    "/dashboard",
    "/gallery",
    "/leaderboard",
    "/calculator",
    "/join",
    "/method",
    "/volunteers/ada/certificate",
)


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedSite]:
    folder = tmp_path_factory.mktemp("browser")
    build(folder / "packages")
    with site(folder / "home") as made:
        fill(made)
        yield replace(made, context=replace(made.context, packages=PackageFolder(folder / "packages")))


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
def page(browser: Browser, address: str) -> Iterator[Page]:
    """A tab in which nothing may go wrong unseen."""
    context = browser.new_context(base_url=address, color_scheme="light", reduced_motion="reduce")
    tab = context.new_page()
    troubles: list[str] = []
    tab.on(
        "console",
        lambda message: troubles.append(message.text) if message.type in ("error", "warning") else None,
    )
    tab.on("pageerror", lambda error: troubles.append(str(error)))
    tab.on(
        "requestfailed", lambda request: troubles.append(request.url) if "events" not in request.url else None
    )
    yield tab
    context.close()
    assert troubles == []


def test_the_dashboard_follows_the_run_by_itself(page: Page, shown: ServedSite) -> None:
    page.goto("/dashboard")
    epoch = page.locator("[data-live=epoch]")
    expect(epoch).to_have_text("40")
    expect(page.locator(".live")).to_have_text("Live")
    expect(page.locator(".uplot canvas")).to_have_count(5)
    add_epochs(shown, PEOPLE, range(41, 44))
    expect(epoch).to_have_text("43", timeout=10_000)
    expect(page.locator("[data-epochs] tbody th").first).to_have_text("43", timeout=10_000)
    say_now(shown, 43, training=9)
    expect(page.locator("[data-live=training]").first).to_have_text("9", timeout=10_000)
    expect(page.locator("[data-reach=direct] td")).to_have_text("8")
    expect(page.locator("[data-reach=relayed]")).to_be_hidden()
    expect(page.locator("[data-wait='no donor'] td")).to_have_text("1")
    expect(page.locator("[data-wait=unreachable]")).to_be_hidden()
    warning = page.locator("[data-warning]")
    expect(warning).to_be_hidden()
    say_now(shown, 43, warning="No round succeeds.\n\nA relay's total is used up.")
    expect(warning).to_have_text("No round succeeds. A relay's total is used up.", timeout=10_000)
    assert len(warning.inner_text().splitlines()) == 3, "they are one paragraph"
    say_now(shown, 43)
    expect(warning).to_be_hidden(timeout=10_000)
    say_now(shown, 43, waiting={})
    expect(page.locator("[data-waits]")).to_be_hidden(timeout=10_000)


def test_a_dashboard_that_one_comes_back_to_listens_again(page: Page, shown: ServedSite) -> None:
    page.goto("/dashboard")
    expect(page.locator(".live")).to_have_text("Live")
    for event in ("pagehide", "pageshow"):
        page.evaluate(f"dispatchEvent(new PageTransitionEvent('{event}', {{ persisted: true }}))")
    say_now(shown, 44, training=6)
    expect(page.locator("[data-live=training]").first).to_have_text("6", timeout=10_000)


def test_a_dashboard_without_a_stream_reads_the_numbers_by_itself(
    browser: Browser, shown: ServedSite
) -> None:
    app = create_app(shown.context, GENEROUS)
    app.state.broadcast = Broadcast(lambda: None, most=0)  # as a full site's
    with served(app) as crowded, browser.new_context(base_url=crowded) as context:
        tab = context.new_page()
        with tab.expect_response("**/api/status") as read:
            tab.goto("/dashboard")
        assert read.value.status == 200
        expect(tab.locator(".live")).to_have_text("Live")


@pytest.mark.parametrize("path", ["/method", "/dashboard"])
def test_a_page_is_printed_whole_and_on_white_whatever_the_theme(page: Page, path: str) -> None:
    page.goto(path)
    page.get_by_role("button", name="Switch between light and dark").click()
    page.emulate_media(media="print")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator("main .drawing svg, main .plot > svg").first).to_be_visible()
    expect(page.locator(".top")).to_be_hidden()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


def test_the_calculator_answers_what_is_typed(page: Page) -> None:
    page.goto("/calculator")
    verdict = page.locator(".verdict h2")
    expect(verdict).to_have_text("dalle fits")
    page.get_by_label("Model").select_option("gpt3-175b")
    expect(verdict).to_have_text("gpt3-175b does not fit", timeout=10_000)
    page.get_by_text("Choose techniques yourself").click()
    page.get_by_label("Moments of the optimizer").select_option("32 bits")
    expect(page.get_by_text("moments in 32 bits, on the CPU")).to_be_visible(timeout=10_000)
    page.get_by_label("Free RAM").fill("much")
    expect(verdict).to_contain_text("not an amount of memory", timeout=10_000)
    expect(page).to_have_url(re.compile("ram=much"))
    assert page.evaluate("performance.getEntriesByType('navigation').length") == 1


def test_the_theme_is_switched_and_remembered(page: Page) -> None:
    def paper() -> str:
        return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))

    page.goto("/method")
    light = paper()
    page.get_by_role("button", name="Switch between light and dark").click()
    dark = paper()
    assert dark != light
    page.goto("/security")
    assert paper() == dark


def test_the_gallery_is_a_slider_where_there_are_scripts_and_a_list_where_not(
    page: Page, browser: Browser, address: str
) -> None:
    page.goto("/gallery")
    expect(page.locator(".frame:visible")).to_have_count(1)
    page.get_by_role("slider").fill("0")
    expect(page.locator(".frame:visible")).to_have_attribute("data-epoch", "5")
    context = browser.new_context(base_url=address, java_script_enabled=False)
    plain = context.new_page()
    plain.goto("/gallery")
    expect(plain.locator(".frame:visible")).to_have_count(4)
    expect(plain.get_by_role("slider")).to_be_hidden()
    context.close()


def test_a_visitor_downloads_the_package_for_their_system_without_scripts(
    browser: Browser, address: str
) -> None:
    agent = "Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"
    with browser.new_context(base_url=address, java_script_enabled=False, user_agent=agent) as context:
        plain = context.new_page()
        plain.goto("/join")
        offer = plain.locator(".package").filter(visible=True)
        expect(offer).to_have_count(1)
        offer.get_by_text("Check the file first").click()
        expect(offer.get_by_text("sha256sum --check")).to_be_visible()
        plain.get_by_text("Other systems, and the source").click()
        expect(plain.locator(".package").filter(visible=True)).to_have_count(len(KINDS) + 1)
        with plain.expect_download() as awaited:
            offer.first.get_by_role("link").click()
        assert awaited.value.suggested_filename == DEB
        assert awaited.value.path().stat().st_size > 0


@pytest.mark.parametrize("path", PATHS)
def test_a_page_fits_a_phone_and_its_text_stands_out_in_light_and_dark(page: Page, path: str) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(path)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.evaluate(_CONTRAST) == []
    page.emulate_media(color_scheme="dark")
    # before a frame is painted the page hears of it, and draws its curves again
    page.evaluate("new Promise(requestAnimationFrame)")
    assert page.evaluate(_CONTRAST) == []


def test_a_keyboard_reaches_the_content_first(page: Page) -> None:
    page.goto("/")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"


_CONTRAST = Path(__file__).with_name("contrast.js").read_text()
"""Texts whose contrast is below what WCAG 2.2 asks for (AA): 4.5, or 3 for large ones."""

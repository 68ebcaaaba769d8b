"""The page for newcomers offers the package for the visitor's system, and the site serves it whole and in parts."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from coordinator.packages.folder import PackageFolder
from core.packages_manifest import FILE_NAME, PackageKind, PackagesManifest
from tests.coordinator.packages.built import BUNDLE, DEB, INSTALLER, KINDS, RPM, TARBALL, build
from tests.coordinator.web.conftest import browsing
from tests.coordinator.web.markup import ParsedPage
from tests.coordinator.web.sites import ServedSite, site

WINDOWS = {"User-Agent": "Mozilla/5.0 (Windows NT 10.0; Win64; x64)"}
UBUNTU = {"User-Agent": "Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"}
LINUX = {"User-Agent": "Mozilla/5.0 (X11; Linux x86_64)"}


@pytest.fixture(scope="module")
def offering(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedSite]:
    """A site with packages of every kind."""
    folder = tmp_path_factory.mktemp("offering")
    build(folder / "packages")
    with site(folder / "home") as made:
        yield replace(made, context=replace(made.context, packages=PackageFolder(folder / "packages")))


@pytest.fixture(scope="module")
def visitor(offering: ServedSite) -> TestClient:
    return browsing(offering)


def _suggested(page: str) -> set[str]:
    """Return the packages that are offered before the others."""
    before = page.partition('<details class="packages"')[0]
    return {name for name in KINDS if f'href="/packages/{name}"' in before}


@pytest.mark.parametrize(
    ("headers", "names"),
    [
        (WINDOWS, {INSTALLER}),
        (UBUNTU, {DEB}),
        (LINUX, {DEB, RPM, TARBALL}),
        (LINUX | {"Sec-CH-UA-Platform": '"macOS"'}, {BUNDLE}),
        ({"User-Agent": "curl/8.14.1"}, set()),
    ],
)
def test_the_package_for_the_visitor_comes_first_and_all_are_there(
    visitor: TestClient, headers: dict[str, str], names: set[str]
) -> None:
    answer = visitor.get("/join", headers=headers)
    page = ParsedPage(answer.text)
    assert page.faults == []
    assert _suggested(answer.text) == names
    assert {f"/packages/{name}" for name in KINDS} <= page.links
    assert '<details class="packages" open>' in answer.text or names
    assert "make -C idlebrush install" in answer.text


def test_a_page_for_one_system_is_never_given_to_another_from_the_cache(visitor: TestClient) -> None:
    for _ in range(2):
        assert _suggested(visitor.get("/join", headers=WINDOWS).text) == {INSTALLER}
        assert _suggested(visitor.get("/join", headers=UBUNTU).text) == {DEB}
    assert {"User-Agent", "Sec-CH-UA-Platform"} <= set(visitor.get("/join").headers["vary"].split(", "))


def test_size_digest_and_what_was_not_tried_are_stated(visitor: TestClient, offering: ServedSite) -> None:
    assert offering.context.packages is not None
    listed = {package.file: package for package in offering.context.packages.listed.files}
    page = visitor.get("/join", headers=UBUNTU).text
    words = " ".join(ParsedPage(page).words)
    assert all(package.sha256 in words for package in listed.values())
    assert f"Download {listed[DEB].size / 1000:.3g}\u00a0kB" in words
    assert "not tried" not in page.partition('<details class="packages"')[0]
    assert page.count('class="tag"') == len(KINDS) - 1
    assert f"sudo apt install ./{DEB}" in words
    assert "Fedora and openSUSE" in words
    assert "On openSUSE, write zypper instead of dnf." in words


def test_the_systems_are_those_that_packages_are_offered_for(
    visitor: TestClient, offering: ServedSite, tmp_path: Path
) -> None:
    everything = _systems(visitor)
    assert "training runs in WSL 2: it has not been tried yet." in everything
    assert "On macOS, Idlebrush cannot train yet" in everything
    for kinds, told in (
        (
            {PackageKind.DEB, PackageKind.RPM},
            "There is no package for Windows here. macOS is not supported yet",
        ),
        ({PackageKind.DEB, PackageKind.INSTALLER}, "training runs in WSL 2. macOS is not supported yet"),
    ):
        listed = build(tmp_path)
        files = tuple(file.model_copy(update={"tried": True}) for file in listed.files if file.kind in kinds)
        listed.model_copy(update={"files": files}).save(tmp_path)
        context = replace(offering.context, packages=PackageFolder(tmp_path))
        assert told in _systems(browsing(replace(offering, context=context)))


def _systems(visitor: TestClient) -> str:
    """Return what the page tells of systems."""
    page = visitor.get("/join").text
    return page.partition("<dt>System</dt><dd>")[2].partition("</dd>")[0]


def test_without_packages_the_source_is_offered(empty_client: TestClient) -> None:
    assert _systems(empty_client).startswith("Linux. There is no package for Windows here.")
    page = empty_client.get("/join").text
    assert "make -C idlebrush install" in page
    assert "/packages/" not in page
    assert empty_client.get(f"/packages/{DEB}").status_code == 404
    assert empty_client.get(f"/packages/{FILE_NAME}").status_code == 404


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        (DEB, "application/vnd.debian.binary-package"),
        (RPM, "application/x-rpm"),
        (TARBALL, "application/x-xz"),
        (INSTALLER, "application/vnd.microsoft.portable-executable"),
        (BUNDLE, "application/zip"),
    ],
)
def test_a_package_is_served_whole_as_a_file(
    visitor: TestClient, offering: ServedSite, name: str, kind: str
) -> None:
    answer = visitor.get(f"/packages/{name}")
    assert offering.context.packages is not None
    found = offering.context.packages.file(name)
    assert found is not None
    path, listed = found
    assert answer.content == path.read_bytes()
    assert answer.headers["content-type"] == kind
    assert answer.headers["content-length"] == str(listed.size)
    assert name in answer.headers["content-disposition"]
    assert answer.headers["etag"] == f'"{listed.sha256}"'


def test_a_program_may_ask_for_the_size_alone(visitor: TestClient) -> None:
    answer = visitor.head(f"/packages/{DEB}")
    assert answer.status_code == 200
    assert answer.content == b""
    assert answer.headers["content-length"] == visitor.get(f"/packages/{DEB}").headers["content-length"]


def test_a_download_that_broke_off_goes_on(visitor: TestClient) -> None:
    whole = visitor.get(f"/packages/{DEB}")
    etag = whole.headers["etag"]
    rest = visitor.get(f"/packages/{DEB}", headers={"Range": "bytes=1000-", "If-Range": etag})
    assert rest.status_code == 206
    assert rest.content == whole.content[1000:]
    changed = visitor.get(f"/packages/{DEB}", headers={"Range": "bytes=1000-", "If-Range": '"other"'})
    assert changed.content == whole.content
    assert visitor.get(f"/packages/{DEB}", headers={"Range": "bytes=9000-"}).status_code == 416


@pytest.mark.parametrize(
    "path", ["/packages/", "/packages/..%2fhome%2fcoordinator.toml", "/packages/../home", "/packages/x.deb"]
)
def test_nothing_else_of_the_machine_is_served(visitor: TestClient, path: str) -> None:
    assert visitor.get(path).status_code == 404


def test_programs_get_the_list(visitor: TestClient, offering: ServedSite) -> None:
    answer = visitor.get(f"/packages/{FILE_NAME}")
    assert offering.context.packages is not None
    assert PackagesManifest.model_validate_json(answer.content) == offering.context.packages.listed


def test_another_site_serves_what_it_has(tmp_path: Path) -> None:
    build(tmp_path / "packages")
    elsewhere = PackageFolder(tmp_path / "packages", "https://mirror.example.org/")
    with site(tmp_path / "home") as made:
        shown = browsing(replace(made, context=replace(made.context, packages=elsewhere)))
        assert f'href="https://mirror.example.org/{INSTALLER}"' in shown.get("/join", headers=WINDOWS).text
        assert shown.get(f"/packages/{INSTALLER}").status_code == 404


def test_a_list_of_runs_is_served_where_the_organiser_keeps_one(changing: ServedSite) -> None:
    with browsing(changing) as client:
        assert client.get("/runs.json").status_code == 404
        changing.context.home.run_list.write_bytes(b'{"format": 1}')
        answer = client.get("/runs.json")
        assert (answer.status_code, answer.headers["Content-Type"]) == (200, "application/json")
        assert answer.content == b'{"format": 1}'

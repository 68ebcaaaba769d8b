"""The notebooks as a run's website gives them: filled in, harmless, linked from its page Join, and installable."""

import ast
import json
import os
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import nbformat
import pytest
from playwright.sync_api import sync_playwright
from starlette.testclient import TestClient

from coordinator.contact import join_link
from coordinator.settings import Settings
from coordinator.web.app import create_app
from coordinator.web.pages.notebooks import ADDRESS, NOTEBOOKS, filled
from tests.coordinator.web.conftest import GENEROUS, browsing
from tests.coordinator.web.markup import ParsedPage
from tests.coordinator.web.serving import served
from tests.coordinator.web.sites import ServedSite, site
from tests.notebooks.execution import FOLDER, PARAMETERS, cell_named

SITE = "https://run.example"
WIDTHS = {"phone": 360, "desktop": 1280}
HOSTILE = (
    "'\"\\",
    '"\n!rm -rf ~\n"',
    '""" + open("/etc/passwd").read() + """',
    "{SITE} %s \u2028 \U0001f58c \x00",
    "</script><script>alert(1)</script>",
)


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedSite]:
    folder = tmp_path_factory.mktemp("offered") / "home"
    with site(folder, settings=Settings(address=f"{SITE}/"), title=HOSTILE[-1]) as made:
        yield made


@pytest.fixture(scope="module")
def client(shown: ServedSite) -> Iterator[TestClient]:
    with browsing(shown) as client:
        yield client


def parameters(notebook: Any) -> dict[str, object]:
    """Return what the cell of parameters sets; it is read and not run."""
    code = next(cell.source for cell in notebook.cells if PARAMETERS in cell.metadata.get("tags", ()))
    found: dict[str, object] = {}
    for node in ast.parse(code).body:
        assert isinstance(node, ast.Assign)
        (target,) = node.targets
        assert isinstance(target, ast.Name)
        is_name = isinstance(node.value, ast.Name)
        found[target.id] = found[ast.unparse(node.value)] if is_name else ast.literal_eval(node.value)
    return found


def test_the_notebook_of_a_run_names_the_run_and_its_website(client: TestClient, shown: ServedSite) -> None:
    answer = client.get(f"{ADDRESS}join.ipynb")
    assert answer.headers["content-type"] == "application/x-ipynb+json"
    assert answer.headers["content-disposition"] == 'attachment; filename="join.ipynb"'
    notebook: Any = nbformat.reads(answer.text, as_version=4)
    nbformat.validate(notebook)
    link = join_link(shown.context.manifest, shown.context.settings)
    assert parameters(notebook) == {"LINK": link, "SITE": SITE, "HOURS": None}
    committed = json.loads((FOLDER / "join.ipynb").read_text())
    assert [cell["id"] for cell in committed["cells"]] == [cell.id for cell in notebook.cells]


@pytest.mark.parametrize("name", [each.name for each in NOTEBOOKS if (FOLDER / each.file).exists()])
def test_every_notebook_is_given(client: TestClient, name: str) -> None:
    assert client.get(f"{ADDRESS}{name}.ipynb").json()["nbformat"] == 4


@pytest.mark.parametrize(
    "name", ["", "other.ipynb", "join", "../join.ipynb", "..%2Fjoin.ipynb", "%2e%2e/run.toml"]
)
def test_nothing_else_is_given(client: TestClient, name: str) -> None:
    assert client.get(f"{ADDRESS}{name}").status_code in (404, 405)


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_text_becomes_one_literal(text: str) -> None:
    given = filled((FOLDER / "join.ipynb").read_text(), {"LINK": text, "SITE": text, "OTHER": text})
    notebook: Any = nbformat.reads(given, as_version=4)
    assert parameters(notebook) == {"LINK": text, "SITE": text, "HOURS": None}
    assert len(cell_named(notebook, "parameters").source.splitlines()) == 3


def test_the_page_join_offers_them(client: TestClient) -> None:
    links = ParsedPage(client.get("/join").text).links
    assert links >= {f"{ADDRESS}{name}.ipynb" for name in ("join", "generate", "history")}


def test_a_reader_downloads_one_on_a_phone_and_on_a_desktop(shown: ServedSite) -> None:
    with (
        served(create_app(shown.context, GENEROUS)) as address,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"]) as browser,
    ):
        for width in WIDTHS.values():
            page = browser.new_page(base_url=address, viewport={"width": width, "height": 800})
            page.goto("/join")
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (
                "nothing is wider than the page"
            )
            with page.expect_download() as download:
                page.get_by_role("link", name="Train this run").click()
            assert download.value.suggested_filename == "join.ipynb"


def packages_of_others(folder: Path) -> Path:
    """Make a ``folder`` with all packages of this environment but Idlebrush."""
    folder.mkdir()
    for each in Path(sysconfig.get_path("purelib")).iterdir():
        if "idlebrush" not in each.name:
            (folder / each.name).symlink_to(each)
    return folder


def test_the_first_cell_installs_what_the_website_gives(shown: ServedSite, tmp_path: Path) -> None:
    """The cell runs pip as it does elsewhere; the index, which no test asks, is a folder with one package."""
    target, index = tmp_path / "installed", tmp_path / "index"
    index.mkdir()
    write_wheel(index, "taming_transformers_rom1504", "0.0.6")
    environment = {
        **os.environ,
        "PYTHONPATH": f"{target}{os.pathsep}{packages_of_others(tmp_path / 'others')}",
        "PIP_TARGET": str(target),
        "PIP_NO_DEPS": "1",
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(index),
        "PIP_NO_BUILD_ISOLATION": "0",
    }
    with served(create_app(shown.context, GENEROUS)) as address:
        notebook: Any = nbformat.read(FOLDER / "join.ipynb", as_version=4)
        program = f"SITE = {address!r}\n{cell_named(notebook, 'install').source}"
        done = run_cell(program, environment, tmp_path)
    assert done.returncode == 0, done.stderr
    assert (target / "client" / "notebook" / "training.py").is_file()
    assert (target / "share" / "idlebrush" / "notebooks" / "join.ipynb").is_file(), (
        "others install from there"
    )
    assert (target / "taming_transformers_rom1504").is_dir()


def test_the_install_cell_asks_for_the_address_of_the_website(tmp_path: Path) -> None:
    notebook: Any = nbformat.read(FOLDER / "join.ipynb", as_version=4)
    program = f"SITE = ''\n{cell_named(notebook, 'install').source}"
    done = run_cell(program, {**os.environ, "PYTHONPATH": ""}, tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("SITE is empty")


def run_cell(program: str, environment: dict[str, str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a cell's code in a ``folder``, without the packages of this environment."""
    command = [sys.executable, "-S", "-c", program]
    return subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, check=False)


def write_wheel(folder: Path, name: str, version: str) -> None:
    """Write a wheel of a package without code."""
    about = f"{name}-{version}.dist-info"
    files = {
        f"{name}/__init__.py": "",
        f"{about}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{about}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    files[f"{about}/RECORD"] = "".join(f"{path},,\n" for path in (*files, f"{about}/RECORD"))
    with ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as wheel:
        for path, text in files.items():
            wheel.writestr(path, text)

"""The notebooks as they are committed: valid, without outputs, and with parameters that a website can fill in."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest

from tests.notebooks.code_of import OFFERED
from tests.notebooks.execution import FOLDER, PARAMETERS, cell_named, read_notebook
from tests.volunteer import ROOT


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.ipynb")), ids=lambda file: file.stem)
def test_a_notebook_is_valid_and_has_no_outputs(file: Path) -> None:
    notebook: Any = nbformat.read(file, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert code
    assert [(cell.id, cell.outputs, cell.execution_count) for cell in code] == [
        (cell.id, [], None) for cell in code
    ]
    assert notebook.metadata.keys() <= {"kernelspec", "language_info"}, "nothing of the author's machine"


@pytest.mark.parametrize("name", OFFERED)
def test_a_notebook_begins_with_its_parameters_and_is_installed_like_the_others(name: str) -> None:
    notebook = read_notebook(name)
    first = next(cell for cell in notebook.cells if cell.cell_type == "code")
    assert first.metadata.tags == [PARAMETERS]
    assert 'SITE = ""' in first.source
    assert all(isinstance(node, ast.Assign) for node in ast.parse(first.source).body)
    assert cell_named(notebook, "install").source == cell_named(read_notebook("join"), "install").source


def test_the_codecs_package_is_installed_in_the_version_that_is_tested() -> None:
    (pinned,) = re.findall(r"^taming-.+$", (ROOT / "constraints.txt").read_text(), re.MULTILINE)
    assert f'"{pinned}"' in cell_named(read_notebook("join"), "install").source


@pytest.mark.parametrize(
    ("is_installed", "words"), [(False, "SITE is empty"), (True, "Idlebrush's notebooks are not there")]
)
def test_a_package_of_others_that_is_called_client_is_not_taken_for_idlebrush(
    is_installed: bool, words: str, tmp_path: Path
) -> None:
    if is_installed:
        (tmp_path / "idlebrush-0.1.0.dist-info").mkdir()
        about = "Metadata-Version: 2.1\nName: idlebrush\nVersion: 0.1.0\n"
        (tmp_path / "idlebrush-0.1.0.dist-info" / "METADATA").write_text(about)
    (tmp_path / "client").mkdir()
    (tmp_path / "client" / "__init__.py").write_text("")
    code = f"SITE = ''\n{cell_named(read_notebook('join'), 'install').source}"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    command = [sys.executable, "-S", "-c", code]  # without the packages of this environment
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1
    assert words in done.stderr

"""The tree has the parts of Qt that the app uses, and nothing for developers."""

import ast
from pathlib import Path

import pytest

from installer.left_out import QT_KEPT_ON_MACOS, is_kept, remove_unused

GUI = Path(__file__).parents[2] / "gui"


@pytest.mark.parametrize(
    ("path", "kept"),
    [
        ("PySide6/QtWidgets.abi3.so", True),
        ("PySide6/QtQml.abi3.so", False),
        ("PySide6/QtWidgets.pyi", False),
        ("PySide6/Qt/lib/libQt6Core.so.6", True),
        ("PySide6/Qt/lib/libQt6Quick.so.6", False),
        ("PySide6/Qt/lib/libicudata.so.73", True),
        ("PySide6/Qt/plugins/platforms/libqxcb.so", True),
        ("PySide6/Qt/plugins/platforms/libqwayland.so", True),
        ("PySide6/Qt/plugins/platforms/libqvnc.so", False),
        ("PySide6/Qt/plugins/imageformats/libqsvg.so", True),
        ("PySide6/Qt/plugins/imageformats/libqpdf.so", False),
        ("PySide6/Qt/translations/qtbase_de.qm", True),
        ("PySide6/Qt/translations/qtbase_ja.qm", False),
        ("PySide6/designer", False),
        ("shiboken6/Shiboken.abi3.so", True),
        ("shiboken6/include/shiboken.h", False),
        ("pydantic/main.py", True),
        ("pydantic/py.typed", False),
        ("psutil/tests/test_all.py", False),
        ("securesystemslib/_vendor/ed25519/.gitignore", False),
        ("typer/testing.py", True),
        ("PIL/_imaging.cpython-311-x86_64-linux-gnu.so", True),
        ("pillow.libs/libavif-01e67780.so.16.3.0", False),
        ("rich/__pycache__/box.cpython-311.pyc", False),
    ],
)
def test_what_is_kept(path: str, kept: bool) -> None:
    assert is_kept(path) is kept


@pytest.mark.parametrize(
    ("path", "kept"),
    [
        ("PySide6/QtCore.abi3.so", True),
        ("PySide6/Qt/lib/QtCore.framework/Versions/A/QtCore", True),
        ("PySide6/Qt/lib/QtCore.framework/Versions/A/Headers/qobject.h", False),
        ("PySide6/Qt/lib/QtQml.framework/Versions/A/QtQml", False),
        ("PySide6/libpyside6.abi3.6.11.dylib", True),
        ("PySide6/libpyside6qml.abi3.6.11.dylib", False),
        ("PySide6/Qt/plugins/platforms/libqcocoa.dylib", True),
        ("PySide6/Assistant.app/Contents/MacOS/Assistant", False),
        ("rich/console.py", True),
    ],
)
def test_what_is_kept_on_macos(path: str, kept: bool) -> None:
    assert is_kept(path, QT_KEPT_ON_MACOS) is kept


def test_each_module_of_qt_that_the_app_imports_is_kept() -> None:
    imported = {
        node.module.partition(".")[2]
        for file in GUI.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("PySide6.")
    }
    assert imported
    assert all(is_kept(f"PySide6/{module}.abi3.so") for module in imported), imported


def test_records_name_what_is_there(tmp_path: Path) -> None:
    """By which programs tell what belongs to a package."""
    for name in ("a/__init__.py", "a/py.typed", "a/tests/test_a.py"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("")
    record = tmp_path / "a-1.dist-info" / "RECORD"
    record.parent.mkdir()
    record.write_text(
        'a/__init__.py,sha256=x,0\na/py.typed,,\n"a/tests/test_a.py",,\n../../../bin/a,,\na-1.dist-info/RECORD,,\n'
    )
    remove_unused(tmp_path)
    assert record.read_text() == "a/__init__.py,sha256=x,0\na-1.dist-info/RECORD,,\n"
    assert not (tmp_path / "a" / "tests").exists(), "an empty folder is left"

"""Decides which files of third-party packages are in the tree: what the app uses, and nothing for developers.

Of Qt, whose wheel has far more than the app uses, only what is listed is kept, so that a new version brings nothing
unseen. `remove_unused` applies the lists; the build then checks that each library that is needed is still there.
"""

import re
from collections.abc import Mapping
from pathlib import Path

_PLUGINS = r"PySide6/Qt/plugins"
_OF_FRAMEWORK = r"((Versions/A/)?Resources/.*|Versions/A/Qt\w+)"
QT_KEPT: Mapping[str, str] = {
    r"PySide6/(__init__|_config|_git_pyside_version|support/\w+)\.py": "the package",
    r"PySide6/libpyside6\.abi3\.so\..*": "what all bindings share",
    r"PySide6/Qt(Core|Gui|Widgets|Svg|Network)\.abi3\.so": "the modules that the app imports",
    r"PySide6/Qt/lib/libQt6(Core|Gui|Widgets|Svg|Network)\.so\.6": "those modules",
    r"PySide6/Qt/lib/libicu\w+\.so\..*": "languages, dates and sorting of Qt's core",
    r"PySide6/Qt/lib/libQt6(DBus|OpenGL)\.so\.6": "needed by Qt's modules and plugins; the tray is on D-Bus",
    r"PySide6/Qt/lib/libQt6XcbQpa\.so\.6": "X11",
    r"PySide6/Qt/lib/libQt6(WaylandClient|WlShellIntegration)\.so\.6": "Wayland",
    rf"{_PLUGINS}/platforms/libq(xcb|wayland|offscreen)\.so": "X11, Wayland, and no screen at all",
    rf"{_PLUGINS}/xcbglintegrations/\w.*\.so": "drawing by the graphics card on X11",
    rf"{_PLUGINS}/wayland-shell-integration/lib(xdg-shell|wl-shell-plugin)\.so": "windows on Wayland",
    rf"{_PLUGINS}/wayland-decoration-client/\w+\.so": "title bars where the desktop draws none",
    rf"{_PLUGINS}/wayland-graphics-integration-client/libqt-plugin-wayland-egl\.so": "the graphics card on Wayland",
    rf"{_PLUGINS}/platformthemes/\w+\.so": "fonts, colours and file dialogues of the desktop",
    rf"{_PLUGINS}/platforminputcontexts/lib(compose|ibus)platforminputcontextplugin\.so": "writing in all scripts",
    rf"{_PLUGINS}/iconengines/libqsvgicon\.so": "icons",
    rf"{_PLUGINS}/imageformats/libq(svg|jpeg|gif|ico|webp)\.so": "pictures that people have; PNG is built in",
    r"PySide6/Qt/translations/qtbase_(de|es|fr|ru|zh_CN)\.qm": "the app's languages",
}
"""Files of PySide6 that are kept, as regular expressions, with the reason."""

QT_KEPT_ON_WINDOWS: Mapping[str, str] = {
    r"PySide6/(__init__|_config|_git_pyside_version|support/\w+)\.py": "the package",
    r"PySide6/(pyside6\.abi3|(msvcp|vcruntime)140\w*)\.dll": "what all bindings share",
    r"PySide6/Qt6?(Core|Gui|Widgets|Svg|Network)\.(pyd|dll)": "the modules that the app imports",
    r"PySide6/plugins/platforms/qwindows\.dll": "windows on the screen",
    r"PySide6/plugins/styles/\w+\.dll": "controls as Windows draws them",
    r"PySide6/plugins/iconengines/qsvgicon\.dll": "icons",
    r"PySide6/plugins/imageformats/q(svg|jpeg|gif|ico|webp)\.dll": "pictures that people have; PNG is built in",
    r"PySide6/translations/qtbase_(de|es|fr|ru|zh_CN)\.qm": "the app's languages",
}
"""Files of PySide6 that the app needs on Windows, whose wheel has another layout."""

QT_KEPT_ON_MACOS: Mapping[str, str] = {
    r"PySide6/(__init__|_config|_git_pyside_version|support/\w+)\.py": "the package",
    r"PySide6/libpyside6\.abi3\..*\.dylib": "what all bindings share",
    r"PySide6/Qt(Core|Gui|Widgets|Svg|Network)\.abi3\.so": "the modules that the app imports",
    rf"PySide6/Qt/lib/Qt(Core|Gui|Widgets|Svg|Network)\.framework/{_OF_FRAMEWORK}": "those modules",
    rf"PySide6/Qt/lib/QtDBus\.framework/{_OF_FRAMEWORK}": "needed by QtGui",
    rf"{_PLUGINS}/platforms/libq(cocoa|offscreen)\.dylib": "windows on the screen, and no screen at all",
    rf"{_PLUGINS}/styles/libqmacstyle\.dylib": "controls as macOS draws them",
    rf"{_PLUGINS}/iconengines/libqsvgicon\.dylib": "icons",
    rf"{_PLUGINS}/imageformats/libq(svg|jpeg|gif|ico|webp)\.dylib": "pictures that people have; PNG is built in",
    r"PySide6/Qt/translations/qtbase_(de|es|fr|ru|zh_CN)\.qm": "the app's languages",
}
"""Files of PySide6 that the app needs on macOS, by what its libraries name. Not tried."""

LEFT_OUT: Mapping[str, str] = {
    r"(.*/)?__pycache__/.*": "compiled again, in a way that does not depend on the time",
    r".*\.pyi|.*/py\.typed": "type hints, for developers",
    r"(.*/)?\.gitignore": "of a repository",
    r".*/tests?/.*": "tests",
    r".*\.(c|h|cpp|pxd|pyx)|shiboken6/include/.*": "sources of what is compiled",
    r"pip/_vendor/distlib/.*\.exe": "launchers of Windows",
    r"PIL/_avif\..*|pillow\.libs/libavif-.*": "AVIF: pictures of runs are PNG, JPEG or WebP",
    r"PIL/(_imagingtk\..*|_tkinter_finder\.py|ImageTk\.py)": "windows by Tk, which this Python lacks",
}
"""Files of other packages that are left out, as regular expressions, with the reason."""

_RECORD_LINE = re.compile(r'^(?:"([^"]+)"|([^,]+)),')


def is_kept(path: str, qt: Mapping[str, str] = QT_KEPT) -> bool:
    """Return true if a file is in the tree.

    Args:
        path: Its path below site-packages, with forward slashes.
        qt: Files of Qt that are kept.
    """
    if path.startswith("PySide6/"):
        return any(re.fullmatch(pattern, path) for pattern in qt)
    return not any(re.fullmatch(pattern, path) for pattern in LEFT_OUT)


def remove_unused(site: Path, qt: Mapping[str, str] = QT_KEPT) -> None:
    """Remove the files that are left out below ``site``, empty folders, and their lines in the packages' records."""
    for file in sorted(site.rglob("*"), reverse=True):
        if file.is_dir() and not file.is_symlink():
            if not any(file.iterdir()):
                file.rmdir()
        elif not is_kept(file.relative_to(site).as_posix(), qt):
            file.unlink()
    for record in site.glob("*.dist-info/RECORD"):
        _shorten(record)


def _shorten(record: Path) -> None:
    """Remove entries for missing files from a package's record."""
    lines = record.read_text(encoding="utf-8").splitlines(keepends=True)
    record.write_text("".join(line for line in lines if _is_there(line, record.parents[1])), encoding="utf-8")


def _is_there(line: str, site: Path) -> bool:
    named = _RECORD_LINE.match(line)
    return named is not None and (site / (named[1] or named[2])).exists()

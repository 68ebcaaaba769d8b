"""Lays Idlebrush.app, the bundle for macOS, from an installed tree. Not tried: nothing here runs macOS."""

import plistlib
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.run.join_link import RUN_FILE_SUFFIX, SCHEME
from installer.commands import BuildError
from installer.icons import write_icns
from installer.release import Release

NAME = "Idlebrush.app"
IDENTIFIER = "org.idlebrush.Idlebrush"
_RUN_TYPE = "org.idlebrush.run"
_ICON = "idlebrush.icns"
OLDEST = "13.0"
"""First macOS that Qt 6.11 supports."""
_LAUNCHER = """\
#!/bin/sh
# Starts the app by the Python of this bundle, wherever the bundle lies.
here=$(cd "$(dirname "$0")" && pwd -P) || exit 1
exec "$here/../Resources/tree/python/bin/python3" -P -m client.cli "$@"
"""


def lay_bundle(tree: Path, folder: Path, release: Release) -> Path:
    """Make the bundle of an installed tree.

    Args:
        tree: Installed tree for macOS; it is copied.
        folder: Folder that gets the bundle.
        release: Version that the bundle is of.

    Returns:
        The bundle.

    Raises:
        BuildError: ``tree`` is no installed tree, or there is a bundle already.
    """
    bundle = folder / NAME
    if missing := [name for name in ("python", "code") if not (tree / name).is_dir()]:
        raise BuildError(
            f"{tree} has no {' and no '.join(missing)}.",
            "Name an installed tree for macOS (docs/packaging.md).",
        )
    if bundle.exists():
        raise BuildError(f"{bundle} is there already.", "Remove it, or name another folder.")
    contents = bundle / "Contents"
    shutil.copytree(tree, contents / "Resources" / "tree", symlinks=True)
    (contents / "Resources/tree/installation.toml").write_text(
        f'channel = "bundle"\nversion = "{release.version}"\ncommit = "{release.commit}"\n'
    )
    write_icns(contents / "Resources" / _ICON)
    _write_launcher(contents / "MacOS" / "idlebrush")
    (contents / "Info.plist").write_bytes(plistlib.dumps(information(release.version)))
    (contents / "PkgInfo").write_text("APPL????")
    return bundle


def information(version: str) -> Mapping[str, Any]:
    """Return what macOS reads about the app before it starts: name, version, links, files and icon."""
    return {
        "CFBundleDevelopmentRegion": "en",
        "CFBundleDocumentTypes": [_document_type()],
        "CFBundleExecutable": "idlebrush",
        "CFBundleIconFile": _ICON,
        "CFBundleIdentifier": IDENTIFIER,
        "CFBundleInfoDictionaryVersion": "6.0",
        "CFBundleLocalizations": ["en", "de", "es", "fr", "ru", "zh-Hans"],
        "CFBundleName": "Idlebrush",
        "CFBundlePackageType": "APPL",
        "CFBundleShortVersionString": version,
        "CFBundleURLTypes": [
            {
                "CFBundleTypeRole": "Viewer",
                "CFBundleURLName": f"{IDENTIFIER}.link",
                "CFBundleURLSchemes": [SCHEME],
            }
        ],
        "CFBundleVersion": version,
        "LSApplicationCategoryType": "public.app-category.utilities",
        "LSMinimumSystemVersion": OLDEST,
        # The app lives in the menu bar; a window is shown when it is asked for.
        "LSUIElement": True,
        "NSHighResolutionCapable": True,
        "NSPrincipalClass": "NSApplication",
        "NSHumanReadableCopyright": "Apache License 2.0",
        "UTExportedTypeDeclarations": [_run_type()],
    }


def _document_type() -> Mapping[str, Any]:
    return {
        "CFBundleTypeIconFile": _ICON,
        "CFBundleTypeName": "Idlebrush run",
        "CFBundleTypeRole": "Viewer",
        "LSHandlerRank": "Owner",
        "LSItemContentTypes": [_RUN_TYPE],
    }


def _run_type() -> Mapping[str, Any]:
    return {
        "UTTypeConformsTo": ["public.plain-text"],
        "UTTypeDescription": "Idlebrush run",
        "UTTypeIdentifier": _RUN_TYPE,
        "UTTypeTagSpecification": {"public.filename-extension": [RUN_FILE_SUFFIX.removeprefix(".")]},
    }


def _write_launcher(place: Path) -> None:
    place.parent.mkdir(parents=True)
    place.write_text(_LAUNCHER)
    place.chmod(0o755)

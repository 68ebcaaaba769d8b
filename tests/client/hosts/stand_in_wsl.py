"""A stand-in for wsl.exe on Linux: takes its arguments, and relays three streams to a program that it starts.

    python stand_in_wsl.py FOLDER --distribution NAME [--user USER] --exec COMMAND...
    python stand_in_wsl.py FOLDER --terminate NAME
    python stand_in_wsl.py FOLDER --import NAME PLACE ARCHIVE --version 2
    python stand_in_wsl.py FOLDER --unregister NAME
    python stand_in_wsl.py FOLDER --list --quiet, --status, --version, --update

FOLDER holds a file for each distribution that there is, with the folder of its files if it was imported, and the list
of commands so far in ``commands``. Further files change what it does:

    keeps-input     killing this program does not end the input of what it has started: the real one may be like that
    outlives        this program continues after what it has started was killed: a process left may hold its output
    refuses         its text is what this program answers, whatever it is asked
    import-fails    its text is what an import answers after it has done half of its work
    old             it is the one that came with Windows, which knows no version, until it is updated
    update-fails    its text is what an update answers
    import-hangs    an import does half of its work, and then waits
    sees            the distribution's programs run within its files alone, and see the folders that this file names;
                    this needs root. Without it, they run on this system

Needs only the standard library, and speaks of errors in UTF-16, as the real one does.
"""

import configparser
import contextlib
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

SETTINGS = (
    "commands",
    "keepers",
    "keeps-input",
    "outlives",
    "refuses",
    "import-fails",
    "import-hangs",
    "old",
    "update-fails",
    "sees",
)
"""Files that are no distributions."""
NOT_FOUND = (
    "There is no distribution with the supplied name.\r\nError code: Wsl/Service/WSL_E_DISTRO_NOT_FOUND\r\n"
)


def main(folder: Path, arguments: list[str]) -> int:
    """Do what ``arguments`` say, and return the exit status."""
    with (folder / "commands").open("a") as commands:
        commands.write(json.dumps(arguments) + "\n")
    if (folder / "refuses").exists():
        return refuse((folder / "refuses").read_text())
    match arguments:
        case ["--distribution", name, "--exec", *command]:
            return execute(folder, name, "", command)
        case ["--distribution", name, "--user", user, "--exec", *command]:
            return execute(folder, name, user, command)
        case ["--terminate", name]:
            return 0 if (folder / name).exists() else 255
        case ["--import", name, place, archive, "--version", "2"]:
            return import_(folder, name, Path(place), archive)
        case ["--unregister", name]:
            shutil.rmtree((folder / name).read_text() or folder / "nothing", ignore_errors=True)
            (folder / name).unlink()
            return 0
        case ["--list", "--quiet"]:
            names = sorted(file.name for file in folder.iterdir() if file.name not in SETTINGS)
            os.write(1, "".join(f"{name}\r\n" for name in names).encode("utf-16-le"))
            return 0 if names else 255
        case ["--status"]:
            return 0
        case ["--update"]:
            if (folder / "update-fails").exists():
                return refuse((folder / "update-fails").read_text())
            (folder / "old").unlink(missing_ok=True)
            return 0
        case ["--version"] if not (folder / "old").exists():
            os.write(1, "WSL version: 2.3.26.0\r\n".encode("utf-16-le"))
            return 0
    return 255


def refuse(text: str) -> int:
    """Write ``text`` as wsl.exe writes, and return its exit status."""
    os.write(1, text.encode("utf-16-le"))
    return 255


def import_(folder: Path, name: str, place: Path, archive: str) -> int:
    """Unpack a distribution, and return the exit status."""
    files = place / "files"
    (folder / name).write_text(str(files))
    (place / "ext4.vhdx").touch()
    if (folder / "import-fails").exists():
        return refuse((folder / "import-fails").read_text())
    while (folder / "import-hangs").exists():
        time.sleep(0.1)
    files.mkdir()
    subprocess.run(
        ["tar", "--extract", "--preserve-permissions", "-f", archive, "-C", str(files)], check=True
    )
    return 0


def execute(folder: Path, name: str, user: str, command: list[str]) -> int:
    """Run a command in a distribution, and return its exit status."""
    if not (folder / name).exists():
        return refuse(NOT_FOUND)
    if (folder / "sees").exists():
        files = Path((folder / name).read_text())
        command = within(files, user or default_user(files), (folder / "sees").read_text().split(), command)
    return relay(folder, command)


def default_user(files: Path) -> str:
    """Return the user that a distribution's wsl.conf names."""
    configuration = configparser.ConfigParser()
    configuration.read(files / "etc/wsl.conf")
    return configuration["user"]["default"]


def within(files: Path, user: str, seen: list[str], command: list[str]) -> list[str]:
    """Return the command that runs ``command`` within the ``files`` of a distribution, with the folders it sees."""
    mounts = [f"mount --rbind /{name} {files}/{name}" for name in ("proc", "dev", "sys")]
    for folder in seen:
        mounts.append(f"mkdir -p {files}{folder} && mount --bind {folder} {files}{folder}")
        # In a distribution, what is on the drives of Windows belongs to its user.
        mounts.append(f"{{ chroot {files} chown -R {user} {folder} 2>/dev/null || true; }}")
    clean = ["env", "--ignore-environment", f"HOME=/home/{user}", "PATH=/usr/sbin:/usr/bin:/sbin:/bin"]
    inside = ["chroot", f"--userspec={user}", str(files), *clean, *command]
    return ["unshare", "--mount", "sh", "-ec", f'{" && ".join(mounts)}; exec "$@"', "sh", *inside]


def relay(folder: Path, command: list[str]) -> int:
    """Start the command apart from this process, relay its streams, and return its exit status."""
    reading, writing = os.pipe()
    if (folder / "keeps-input").exists():
        no = subprocess.DEVNULL
        keeper = subprocess.Popen(
            ["sleep", "600"], pass_fds=(writing,), start_new_session=True, stdin=no, stdout=no, stderr=no
        )
        with (folder / "keepers").open("a") as keepers:  # each relay has one
            keepers.write(f"{keeper.pid}\n")
    try:
        started = subprocess.Popen(command, stdin=reading, stdout=subprocess.PIPE, start_new_session=True)
    except OSError as error:
        sys.stderr.write(
            f"<3>WSL (9) ERROR: CreateProcessCommon:559: execvpe({command[0]}) failed: {error.strerror}\n"
        )
        return 255
    os.close(reading)
    assert started.stdout is not None
    held = os.dup(1)
    threading.Thread(target=copy, args=(0, writing), daemon=True).start()
    copy(started.stdout.fileno(), 1)
    status = started.wait()
    while status < 0 and (folder / "outlives").exists():
        time.sleep(0.1)
    os.close(held)
    return status


def copy(source: int, target: int) -> None:
    """Copy between descriptors until the end of ``source``, and close ``target`` then."""
    with contextlib.suppress(OSError):
        while data := os.read(source, 1 << 16):
            while data:
                data = data[os.write(target, data) :]
    with contextlib.suppress(OSError):
        os.close(target)


if __name__ == "__main__":
    status = main(Path(sys.argv[1]), sys.argv[2:])
    sys.stderr.flush()
    os._exit(status)

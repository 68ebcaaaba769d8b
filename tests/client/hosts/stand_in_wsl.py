"""A stand-in for wsl.exe on Linux: takes its arguments, and relays three streams to a program that it starts.

    python stand_in_wsl.py FOLDER --distribution NAME --exec COMMAND...
    python stand_in_wsl.py FOLDER --terminate NAME

FOLDER holds a file for each distribution that there is, and the list of commands so far in ``commands``. If it holds
``keeps-input``, killing this program does not end the input of what it has started: the real one may be like that.
Needs only the standard library, and speaks of errors in UTF-16, as the real one does.
"""

import contextlib
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

NOT_FOUND = (
    "There is no distribution with the supplied name.\r\nError code: Wsl/Service/WSL_E_DISTRO_NOT_FOUND\r\n"
)


def main(folder: Path, arguments: list[str]) -> int:
    """Do what ``arguments`` say, and return the exit status."""
    with (folder / "commands").open("a") as commands:
        commands.write(json.dumps(arguments) + "\n")
    match arguments:
        case ["--distribution", name, "--exec", *command] | [
            "--distribution",
            name,
            "--user",
            _,
            "--exec",
            *command,
        ]:
            if not (folder / name).exists():
                os.write(1, NOT_FOUND.encode("utf-16-le"))
                return 255
            return relay(folder, command)
        case ["--terminate", name]:
            return 0 if (folder / name).exists() else 255
    return 255


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
    threading.Thread(target=copy, args=(0, writing), daemon=True).start()
    copy(started.stdout.fileno(), 1)
    return started.wait()


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

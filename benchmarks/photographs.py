"""Freely licensed photographs from a Debian package, for benchmarks that need some; none are kept here.

lomiri-wallpapers-16.04 is 16 MB; what it holds is by several authors, under CC BY 4.0, CC BY-SA 3.0 and 4.0, and CC0,
as its file ``copyright`` says.
"""

import subprocess
from pathlib import Path

PACKAGE = "lomiri-wallpapers-16.04"


class NoPhotographsError(Exception):
    """They cannot be had here; the message says why."""


def fetch_photographs(folder: Path) -> list[Path]:
    """The package's JPEG files, unpacked below ``folder``.

    Raises:
        NoPhotographsError: this is no Debian system, or its archive cannot be reached.
    """
    # As root, apt would warn that another user cannot write to the folder.
    apart = "-oAPT::Sandbox::User=root"
    try:
        subprocess.run(
            ["apt-get", "-q", apart, "download", PACKAGE], cwd=folder, check=True, capture_output=True
        )
        (package,) = folder.glob("*.deb")
        subprocess.run(["dpkg-deb", "-x", package, folder], check=True, capture_output=True)
    except FileNotFoundError as error:
        raise NoPhotographsError(f"{PACKAGE} is fetched by {error.filename}, which is not here") from error
    except subprocess.CalledProcessError as error:
        raise NoPhotographsError(f"{PACKAGE} cannot be had: {error.stderr.decode().strip()}") from error
    return sorted(folder.rglob("*.jpg"))

"""The place from which the signed list of packages is fetched, and the key that must have signed it.

Each package has them in the file ``environment.toml`` beside ``installation.toml``, with the keys ``address`` and
``key``; the build puts it there. A user who may write there may replace the program as well.
"""

import tomllib
from pathlib import Path
from typing import Annotated, Self

from pydantic import StringConstraints, ValidationError

from client.api.errors import SetupError
from client.installed import Installation
from core.run.fields import PublicKey, Rules
from core.run.validation import in_words
from core.storage.files import read_bounded

FILE = "environment.toml"
_LARGEST = 65_536


class EnvironmentSource(Rules):
    """Address and key of a list."""

    address: Annotated[
        str, StringConstraints(pattern=r"^https?://[^\s\x00-\x1f\x7f-\x9f\"<>\\]+$", max_length=500)
    ]
    """URL of the list."""
    key: PublicKey
    """Public key (hex) that must have signed it."""

    @classmethod
    def read(cls, file: Path) -> Self:
        """Return the source that a file names; raise SetupError if it cannot be used."""
        try:
            return cls.model_validate(tomllib.loads(read_bounded(file, _LARGEST).decode()))
        except ValidationError as error:
            why = in_words(error)
        except OSError as error:
            why = error.strerror or str(error)
        except ValueError as error:  # of TOML, of UTF-8, or too long
            why = str(error)
        raise SetupError(f"{file} cannot be used: {why}.", "Correct that file, or install Idlebrush again.")


def source_of(installation: Installation | None) -> EnvironmentSource:
    """Return the source for an installation; None: a clone of the source code.

    Raises SetupError if its file cannot be used, or is missing.
    """
    file = installation.tree / FILE if installation is not None else None
    if file is not None and file.exists():
        return EnvironmentSource.read(file)
    raise SetupError(
        "This copy of Idlebrush does not say where the packages for training come from.",
        "Install Idlebrush from one of its packages. In a clone of the source, run `make install`."
        if installation is None
        else f"Install Idlebrush again from a package that names it, or name it in {file}.",
    )

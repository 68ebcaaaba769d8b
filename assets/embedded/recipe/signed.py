"""Signs the manifests of the embedded runs: the arguments of their recipes, and the file that is written."""

import argparse
from pathlib import Path

from core.run.contact import Contact
from core.run.manifest import RunManifest
from core.run.rules import TrainingRules
from core.signing import SigningKey


def folder_and_key(description: str | None, option: str, folder: Path) -> tuple[Path, SigningKey]:
    """Return the folder of a run and the key to sign with, as the command line has them.

    Args:
        description: Text on the recipe, of which the first line is shown.
        option: Name of the option for the folder, such as ``--text``.
        folder: Folder where that option is not given.
    """
    parser = argparse.ArgumentParser(description=description.splitlines()[0] if description else None)
    parser.add_argument(option, dest="folder", type=Path, default=folder, help="where the run lies")
    parser.add_argument("--key", type=Path, help="key to sign with; a new one, kept nowhere, if not given")
    arguments = parser.parse_args()
    return arguments.folder, SigningKey.load(arguments.key) if arguments.key else SigningKey.generate()


def write_signed(training: TrainingRules, contact: Contact, key: SigningKey, path: Path) -> RunManifest:
    """Write a manifest of these two parts, signed with ``key``, to ``path``; return what the file has."""
    RunManifest.create(training, contact, key).save(path)
    return RunManifest.load(path)

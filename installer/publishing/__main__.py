"""Makes and keeps the signed repository of releases: ``python -m installer.publishing VERB`` (docs/releasing.md)."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from getpass import getpass
from pathlib import Path

from tuf.api.metadata import Root, Targets

from core.errors import CoreError
from installer.publishing.keys import (
    PASSWORD_VARIABLE,
    PUBLIC,
    make_key,
    read_public,
    read_signers,
)
from installer.publishing.repository import ReleaseRepository
from installer.publishing.roles import ROLES, RoleKeys


def main(words: Sequence[str] | None = None) -> int:
    """Run one verb; returns the exit status."""
    given = _parser().parse_args(words)
    try:
        verb: Callable[[argparse.Namespace], None] = given.verb
        verb(given)
    except CoreError as error:
        print(f"{error.what}\n{error.remedy}", file=sys.stderr)
        return 2
    return 0


def _key(given: argparse.Namespace) -> None:
    print(f"The public half is in {make_key(given.file, _new_password())}.")


def _init(given: argparse.Namespace) -> None:
    repository = ReleaseRepository(given.repository)
    repository.begin(_role_keys(given))
    print(f"{repository.pending} holds what the keys of root and targets have to sign.")


def _rotate(given: argparse.Namespace) -> None:
    repository = ReleaseRepository(given.repository)
    repository.rotate(_role_keys(given))
    print(
        f"{repository.pending} holds the next root, which the old and the new keys of the root have to sign."
    )


def _add(given: argparse.Namespace) -> None:
    repository = ReleaseRepository(given.repository)
    listed = repository.add(given.packages, given.notes, given.least_version)
    print(f"{len(listed.files)} packages of version {listed.version} wait for the keys of the targets.")


def _sign(given: argparse.Namespace) -> None:
    for line in ReleaseRepository(given.repository).sign(read_signers(given.key, _password)):
        print(f"Signed {line}.")


def _publish(given: argparse.Namespace) -> None:
    ReleaseRepository(given.repository).publish(read_signers(given.key, _password))
    _show(given)


def _renew(given: argparse.Namespace) -> None:
    ReleaseRepository(given.repository).renew(read_signers(given.key, _password))
    _show(given)


def _show(given: argparse.Namespace) -> None:
    repository = ReleaseRepository(given.repository)
    for role in ROLES:
        signed = repository.newest(role).signed
        print(f"{role} {signed.version} expires on {signed.expires:%Y-%m-%d %H:%M} UTC")


def _trust(given: argparse.Namespace) -> None:
    ReleaseRepository(given.repository).trust(given.tree, given.address)


def _role_keys(given: argparse.Namespace) -> dict[str, RoleKeys]:
    return {
        role: RoleKeys([read_public(file) for file in files], getattr(given, f"{role}_threshold", 1))
        for role in ROLES
        if (files := getattr(given, role))
    }


def _password(file: Path) -> str:
    return os.environ.get(PASSWORD_VARIABLE) or getpass(f"Password of {file}: ")


def _new_password() -> str:
    if (given := os.environ.get(PASSWORD_VARIABLE)) is not None:
        return given
    return getpass("Password of the new key (empty: none): ")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m installer.publishing", description=__doc__)
    verbs = parser.add_subparsers(required=True, metavar="VERB")
    key = verbs.add_parser("key", help="make a key")
    key.add_argument("file", type=Path)
    key.set_defaults(verb=_key)
    _with_repository(verbs, "init", _init, "begin a repository", _add_role_keys)
    _with_repository(verbs, "rotate", _rotate, "prepare a root with other keys", _add_role_keys)
    _with_repository(verbs, "add", _add, "copy the packages of a build, to be signed", _add_packages)
    _with_repository(verbs, "sign", _sign, "sign what is pending", _add_signers)
    _with_repository(verbs, "publish", _publish, "publish what is signed", _add_signers)
    _with_repository(verbs, "renew", _renew, "renew the timestamp; run it daily", _add_signers)
    _with_repository(verbs, "show", _show, "show versions and expiry", lambda verb: None)
    _with_repository(verbs, "trust", _trust, "write root and address into a tree", _add_tree)
    return parser


def _with_repository(
    verbs: "argparse._SubParsersAction[argparse.ArgumentParser]",
    name: str,
    verb: Callable[[argparse.Namespace], None],
    text: str,
    add: Callable[[argparse.ArgumentParser], None],
) -> None:
    parser = verbs.add_parser(name, help=text)
    parser.add_argument("repository", type=Path, metavar="REPOSITORY")
    add(parser)
    parser.set_defaults(verb=verb)


def _add_role_keys(parser: argparse.ArgumentParser) -> None:
    for role in ROLES:
        parser.add_argument(
            f"--{role}", type=Path, nargs="+", metavar=f"FILE{PUBLIC}", help=f"public keys of the role {role}"
        )
    for role in (Root.type, Targets.type):
        parser.add_argument(f"--{role}-threshold", type=int, default=1, help="signatures that are demanded")


def _add_packages(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("packages", type=Path, help="folder with packages.json")
    parser.add_argument("--notes", type=Path, help="JSON object with the text of what is new, by language")
    parser.add_argument("--least-version", default="0", help="oldest version that may be replaced by itself")


def _add_signers(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--key", type=Path, nargs="+", required=True, help="private keys")


def _add_tree(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tree", type=Path, help="folder with installation.toml")
    parser.add_argument("--address", required=True, help="URL of the repository's folder on the web")


if __name__ == "__main__":
    sys.exit(main())

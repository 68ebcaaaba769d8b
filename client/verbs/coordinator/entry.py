"""The verbs of `coordinator` about entering the swarm: bootstrap, and contact list, add and remove."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from client.verbs.options import HERE, HomeOption

_DAILY_GIGABYTES = 10
EntryAddress = Annotated[
    str,
    typer.Argument(metavar="ADDRESS", help="Address that `coordinator bootstrap` prints, with a peer id."),
]


def bootstrap(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Folder of the peer's identity and logs on this machine.")
    ],
    run: Annotated[
        str, typer.Argument(metavar="RUN", help="Join link of the run, or the file of its manifest.")
    ],
    address: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help="Public address at which volunteers reach this machine: /dns/entry.example.org/tcp/31330.",
        ),
    ],
    port: Annotated[
        int | None,
        typer.Option(
            min=1, max=65_535, help="Port to listen on, if a router forwards the address's to another."
        ),
    ] = None,
    relay_gigabytes: Annotated[
        int,
        typer.Option(
            min=0,
            max=1_000_000,
            metavar="GB",
            help="Gigabytes that it relays in a day between homes behind routers; 0: none.",
        ),
    ] = _DAILY_GIGABYTES,
) -> None:
    """Run a further bootstrap peer of a run on this machine, until Ctrl-C.

    Volunteers enter by it once the organiser has added its address by `idlebrush coordinator contact add`. It keeps
    its identity in DIR, and continues there when it is started again.
    """
    from client.joining.invitation import read_invitation
    from coordinator.added_bootstrap import AddedBootstrap, serve
    from coordinator.errors import EntryError
    from coordinator.home import Home
    from coordinator.run_source import ManifestSource
    from core.messages.reach import RelayBounds

    invitation = read_invitation(run)
    if not invitation.is_vouched_for:
        raise EntryError(
            "A web address does not tell whose run it is.",
            "Give the join link that `coordinator serve` prints.",
        )
    home = Home(folder)
    relay = RelayBounds(gigabytes_a_day=float(relay_gigabytes)) if relay_gigabytes else None
    peer = AddedBootstrap(home, address, port, relay)
    serve(peer, ManifestSource(invitation.location, invitation.fingerprint, home.manifest), _print)


def list_entries(home: HomeOption = HERE) -> None:
    """List the addresses by which volunteers enter the swarm, and mark the coordinator's own."""
    from coordinator.contact import own_peer, peer_of
    from coordinator.home import Home
    from core.run.manifest import RunManifest

    place = Home(home)
    contact = RunManifest.load(place.manifest).contact
    own = own_peer(place)
    for item in contact.initial_peers:
        print(f"{item}  the coordinator's own" if peer_of(item) == own else item)
    if not contact.initial_peers:
        print("None yet: `idlebrush coordinator serve` enters its own at its start.")


def add_entry(address: EntryAddress, home: HomeOption = HERE) -> None:
    """Name a bootstrap peer on another machine in the contact part, also while the run is served."""
    from coordinator.contact import add_entry as add
    from coordinator.home import Home

    manifest = add(Home(home), address, datetime.now(UTC))
    print(f"Added. The contact part has the serial {manifest.contact.serial} now.")
    _print_when()


def remove_entry(
    address: Annotated[str, typer.Argument(metavar="ADDRESS|ID", help="Its address, or the id of its peer.")],
    home: HomeOption = HERE,
) -> None:
    """Take a bootstrap peer on another machine out of the contact part; its access token is not renewed then."""
    from coordinator.contact import remove_entry as remove
    from coordinator.home import Home

    manifest = remove(Home(home), address, datetime.now(UTC))
    print(f"Removed. The contact part has the serial {manifest.contact.serial} now.")
    _print_when()


def _print_when() -> None:
    print("Newcomers get it from the website at once, and volunteers who train already within eight hours.")


def _print(text: str) -> None:
    print(text, flush=True)

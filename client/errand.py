"""The process that runs one errand for the daemon (`client.account.errands`) and ends: `python -m client.errand`."""

from collections.abc import Callable

from client.account.errands import (
    ERRANDS,
    AnyErrand,
    CarriedOut,
    CheckToken,
    CodeShown,
    Found,
    GrantByCode,
    Granted,
    HubErrand,
    OpenKeyring,
    ReadKeyring,
    RemoveFromKeyring,
    Renew,
    Revoke,
    SaveToKeyring,
)
from core import child
from core.lines import Channel, Message


def main() -> None:
    child.live(ERRANDS, _run)


def _run(errand: AnyErrand, channel: Channel) -> None:
    if isinstance(errand, HubErrand):
        channel.send(_at_hub(errand, channel.send))
    else:
        channel.send(_at_keyring(errand))


def _at_hub(errand: GrantByCode | CheckToken | Renew | Revoke, show: Callable[[CodeShown], None]) -> Message:
    from client.account.hub import Hub  # each errand loads what it needs and no more

    hub = Hub(errand.hub)
    match errand:
        case GrantByCode():
            return Granted(credentials=hub.grant(show))
        case CheckToken(token=token):
            return Granted(credentials=hub.check(token))
        case Renew(credentials=credentials):
            return Granted(credentials=hub.renew(credentials))
        case Revoke(credentials=credentials):
            return CarriedOut(offered=hub.revoke(credentials))


def _at_keyring(errand: OpenKeyring | ReadKeyring | SaveToKeyring | RemoveFromKeyring) -> Message:
    from client.account.keychain import Keychain

    keychain = Keychain.of_system()
    match errand:
        case OpenKeyring():
            keychain.open()
        case ReadKeyring(endpoint=endpoint):
            return Found(credentials=keychain.read(endpoint))
        case SaveToKeyring(credentials=credentials):
            keychain.save(credentials)
        case RemoveFromKeyring(endpoint=endpoint):
            keychain.remove(endpoint)
    return CarriedOut()


if __name__ == "__main__":
    main()

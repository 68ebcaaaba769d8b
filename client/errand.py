"""The process that runs one errand for the daemon (`client.errands`) and ends: `python -m client.errand`."""

from collections.abc import Callable

from pydantic import SecretStr

from client.account.errands import (
    CarriedOut,
    CheckToken,
    CodeShown,
    Found,
    GrantByCode,
    Granted,
    HubErrand,
    KeyringErrand,
    OpenKeyring,
    ReadKeyring,
    RemoveFromKeyring,
    Renew,
    Revoke,
    SaveToKeyring,
)
from client.admission.errands import (
    AskBoard,
    AskHistory,
    BoardFound,
    EndMembership,
    Enter,
    FetchSuccessor,
    GateErrand,
    HideName,
    HistoryFound,
    KeepFrames,
    KeepReceipts,
    OpenPage,
    PageOpened,
    PutOff,
    ReceiptsKept,
    RenewAccess,
    SuccessorFound,
)
from client.api.messages import Traffic
from client.errands import ERRANDS, AnyErrand
from client.joining.errands import JoiningErrand, RunErrand
from core import child
from core.lines import Channel, Message


def main() -> None:
    child.live(ERRANDS, _run)


def _run(errand: AnyErrand, channel: Channel) -> None:
    if isinstance(errand, HubErrand):
        channel.send(_at_hub(errand, channel.send))
    elif isinstance(errand, KeyringErrand):
        channel.send(_at_keyring(errand))
    elif isinstance(errand, RunErrand):
        channel.send(_about_run(errand, channel))
    elif isinstance(errand, FetchSuccessor):
        channel.send(_successor(errand))
    elif isinstance(errand, KeepFrames):
        channel.send(_keep_frames(errand, channel))
    else:
        channel.send(_at_coordinator(errand, channel))


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
        case ReadKeyring(entry=entry):
            kept = keychain.read(entry)
            return Found(secret=None if kept is None else SecretStr(kept))
        case SaveToKeyring(entry=entry, secret=secret):
            keychain.save(entry, secret.get_secret_value())
        case RemoveFromKeyring(entry=entry):
            keychain.remove(entry)
    return CarriedOut()


def _at_coordinator(errand: GateErrand, channel: Channel) -> Message:
    from client.admission import entering
    from client.admission.coordinator import Coordinator

    coordinator = Coordinator(errand.coordinator, lambda seconds: channel.send(PutOff(seconds=seconds)))
    match errand:
        case Enter():
            return entering.enter(errand, channel.send, coordinator)
        case RenewAccess():
            return entering.renew(errand, coordinator)
        case EndMembership(membership=membership):
            coordinator.end(membership)
        case HideName(membership=membership, hidden=hidden):
            coordinator.hide(membership, hidden)
        case OpenPage(membership=membership):
            return PageOpened(address=coordinator.page(membership))
        case KeepReceipts():
            from client.admission.receipts import keep

            return ReceiptsKept(count=keep(errand, coordinator))
        case AskBoard(query=query, membership=membership):
            return BoardFound(board=coordinator.board(query, membership))
        case AskHistory(points=points):
            return HistoryFound(epochs=coordinator.history(points))
    return CarriedOut()


def _about_run(errand: JoiningErrand, channel: Channel) -> Message:
    from client.joining import scouting

    return scouting.carry_out(errand, channel.send)


def _keep_frames(errand: KeepFrames, channel: Channel) -> Message:
    from client.admission import frames
    from client.admission.coordinator import Coordinator
    from core.swarm.bandwidth import Line, Way

    line = Line(download=errand.download)

    def arrived() -> int:
        channel.send(Traffic(bytes_received=line.received))
        return line.received

    coordinator = Coordinator(errand.coordinator, passed=lambda size: line.data.block(Way.DOWN, size))
    return frames.keep(errand, coordinator, arrived)


def _successor(errand: FetchSuccessor) -> Message:
    from client.admission.successor import fetch

    return SuccessorFound(changed=fetch(errand))


if __name__ == "__main__":
    main()

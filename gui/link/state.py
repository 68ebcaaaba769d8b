"""How the app stands with the daemon: states, and a pure function from one to the next."""

from enum import Enum, auto


class LinkState(Enum):
    """What the app knows of the daemon; only when connected does it know what the daemon does."""

    CONNECTING = auto()
    STARTING = auto()  # the app has started a daemon, which does not answer yet
    CONNECTED = auto()
    ABSENT = auto()  # none runs, and none is started before the volunteer wants it
    SILENT = auto()  # it does not answer
    OLD = auto()  # it is of another version, and has to be restarted
    FOREIGN = auto()  # it belongs to another user
    FAILED = auto()  # it cannot be started


class LinkEvent(Enum):
    """What happens to the connection."""

    TRIED = auto()  # somebody wants to connect anew
    LAUNCHED = auto()  # a daemon was started
    ANSWERED = auto()  # a snapshot has come
    ENDED = auto()  # nobody listens, or the connection was ended
    MUTED = auto()  # an answer is overdue
    OUTDATED = auto()  # an answer, or its absence, shows another version
    REFUSED = auto()  # whoever listens is not this user
    COLLAPSED = auto()  # a daemon that was started has ended at once


_WHATEVER_WAS = {
    LinkEvent.TRIED: LinkState.CONNECTING,
    LinkEvent.LAUNCHED: LinkState.STARTING,
    LinkEvent.ANSWERED: LinkState.CONNECTED,
    LinkEvent.MUTED: LinkState.SILENT,
    LinkEvent.OUTDATED: LinkState.OLD,
    LinkEvent.REFUSED: LinkState.FOREIGN,
    LinkEvent.COLLAPSED: LinkState.FAILED,
}
_ILLEGAL = {(LinkState.CONNECTED, LinkEvent.LAUNCHED), (LinkState.CONNECTED, LinkEvent.COLLAPSED)}


def transition(state: LinkState, event: LinkEvent) -> LinkState:
    """The state that follows; ValueError for what cannot happen in this one."""
    if (state, event) in _ILLEGAL:
        raise ValueError(f"{event.name} cannot happen while {state.name}.")
    if event is LinkEvent.ENDED:
        # One that was started is waited for; one that failed to start has not been there to end.
        return state if state in (LinkState.STARTING, LinkState.FAILED) else LinkState.ABSENT
    return _WHATEVER_WAS[event]

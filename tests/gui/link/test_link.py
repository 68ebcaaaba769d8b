"""The link to the daemon has a defined next state for every event in every state."""

from itertools import product

import pytest

from gui.link.link import LinkEvent, LinkState, transition

FROM_ANY = {
    LinkEvent.TRIED: LinkState.CONNECTING,
    LinkEvent.ANSWERED: LinkState.CONNECTED,
    LinkEvent.MUTED: LinkState.SILENT,
    LinkEvent.OUTDATED: LinkState.OLD,
    LinkEvent.REFUSED: LinkState.FOREIGN,
}


def test_what_the_daemon_shows_counts_whatever_was_known() -> None:
    found = {(state, event): transition(state, event) for state, event in product(LinkState, FROM_ANY)}
    assert found == {(state, event): FROM_ANY[event] for state, event in found}


def test_an_end_means_absence_unless_a_start_is_awaited_or_has_failed() -> None:
    stays = {LinkState.STARTING, LinkState.FAILED}
    found = {state: transition(state, LinkEvent.ENDED) for state in LinkState}
    assert found == {state: state if state in stays else LinkState.ABSENT for state in LinkState}


def test_a_daemon_is_started_only_where_none_is_connected() -> None:
    started = {LinkEvent.LAUNCHED: LinkState.STARTING, LinkEvent.COLLAPSED: LinkState.FAILED}
    others = set(LinkState) - {LinkState.CONNECTED}
    found = {(state, event): transition(state, event) for state, event in product(others, started)}
    assert found == {(state, event): started[event] for state, event in found}
    for event in started:
        with pytest.raises(ValueError, match="cannot happen while CONNECTED"):
            transition(LinkState.CONNECTED, event)

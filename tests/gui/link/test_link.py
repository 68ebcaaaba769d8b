"""The link to the daemon has a defined next state for every event in every state."""

import pytest

from gui.link.link import LinkEvent, LinkState, transition

FROM_ANY = [
    (LinkEvent.TRIED, LinkState.CONNECTING),
    (LinkEvent.ANSWERED, LinkState.CONNECTED),
    (LinkEvent.MUTED, LinkState.SILENT),
    (LinkEvent.OUTDATED, LinkState.OLD),
    (LinkEvent.REFUSED, LinkState.FOREIGN),
]


@pytest.mark.parametrize("state", LinkState)
@pytest.mark.parametrize(("event", "after"), FROM_ANY)
def test_what_the_daemon_shows_counts_whatever_was_known(
    state: LinkState, event: LinkEvent, after: LinkState
) -> None:
    assert transition(state, event) is after


@pytest.mark.parametrize("state", LinkState)
def test_an_end_means_absence_unless_a_start_is_awaited_or_has_failed(state: LinkState) -> None:
    stays = {LinkState.STARTING, LinkState.FAILED}
    assert transition(state, LinkEvent.ENDED) is (state if state in stays else LinkState.ABSENT)


@pytest.mark.parametrize("state", LinkState)
@pytest.mark.parametrize(
    ("event", "after"), [(LinkEvent.LAUNCHED, LinkState.STARTING), (LinkEvent.COLLAPSED, LinkState.FAILED)]
)
def test_a_daemon_is_started_only_where_none_is_connected(
    state: LinkState, event: LinkEvent, after: LinkState
) -> None:
    if state is LinkState.CONNECTED:
        with pytest.raises(ValueError, match="cannot happen while CONNECTED"):
            transition(state, event)
    else:
        assert transition(state, event) is after

"""How others reach this computer: the app says what `status` and `doctor` say, and leads to what helps."""

import pytest

from client.api.snapshot import ReachView
from client.service.channel.reach_view import reach_view
from core.messages.reach import Reach, ReachFound
from gui.wording.reach import reach_advice, reach_preference, reach_sentence

UPNP = "Let the router forward the port (UPnP or NAT-PMP)"
pytestmark = pytest.mark.usefixtures("qapp")


@pytest.mark.parametrize("upnp", [True, False])
@pytest.mark.parametrize("address6", ["", "2a00::7"])
@pytest.mark.parametrize("code", Reach)
def test_the_app_says_what_the_terminal_says(code: Reach, address6: str, upnp: bool) -> None:
    view = reach_view(ReachFound(reach=code, port=31_330, address6=address6), upnp=upnp)
    terminal = f"{view.text} {view.remedy}".strip().replace("preference upnp", f"preference “{UPNP}”")
    assert f"{reach_sentence(view)} {reach_advice(view)}" == terminal


@pytest.mark.parametrize(
    ("code", "upnp", "words", "preference"),
    [
        (Reach.DIRECT, False, "Nothing has to be changed.", ""),
        (Reach.MAPPED, True, "Nothing has to be changed.", ""),
        (Reach.PUNCHED, False, "Nothing has to be changed.", ""),
        (Reach.RELAYED, True, "or allow UPnP or NAT-PMP there.", "listening-port"),
        (Reach.RELAYED, False, f"turn on the preference “{UPNP}”", "upnp"),
        (Reach.OUTGOING, True, "forward TCP port 31330 ", "listening-port"),
        (Reach.OUTGOING, False, "forward TCP port 31330 ", "upnp"),
        (Reach.UNCHECKED, True, "checked again", ""),
        (Reach.UNCHECKED, False, "tell the run's organiser", ""),
    ],
)
def test_the_advice_leads_to_the_preference_that_helps(
    code: Reach, upnp: bool, words: str, preference: str
) -> None:
    view = reach_view(ReachFound(reach=code, port=31_330), upnp=upnp)
    assert words in reach_advice(view)
    assert reach_preference(view) == preference


@pytest.mark.parametrize("code", [Reach.RELAYED, Reach.OUTGOING, Reach.UNCHECKED])
def test_what_the_swarm_loses_by_it_is_said(code: Reach) -> None:
    sentence = reach_sentence(reach_view(ReachFound(reach=code), upnp=True))
    assert "up updates for others" in sentence
    assert "newcomers the model's state" in sentence


def test_without_a_port_the_advice_is_the_daemons() -> None:
    view = reach_view(ReachFound(reach=Reach.OUTGOING), upnp=True)
    assert "the preference listening-port" in view.remedy
    assert reach_advice(view) == view.remedy


def test_a_code_that_is_not_known_is_told_in_the_daemons_words() -> None:
    unknown = ReachView(code="by pigeon", text="As the daemon says.", remedy="Feed it.")
    assert (reach_sentence(unknown), reach_advice(unknown)) == ("As the daemon says.", "Feed it.")
    assert reach_preference(unknown) == ""

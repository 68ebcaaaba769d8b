"""Signing in with the Hub, spoken over a real socket; only the clock is a stand-in where waiting is tested."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest
from pydantic import SecretStr

from client.account.credentials import Credentials
from client.account.http_origin import LARGEST, HttpOrigin
from client.account.hub import Hub
from client.account.tasks import CodeShown, HubSettings
from client.api.errors import CredentialsRejected, HubError, SignInError
from tests.hub.hub_server import CLIENT_ID, Canned, HubServer, running_hub

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass
class SleepingClock:
    """Passes only while a caller sleeps."""

    seconds: float = 0.0
    slept: list[float] = field(default_factory=list)

    def __call__(self) -> float:
        return self.seconds

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.seconds += seconds


@pytest.fixture
def server() -> Iterator[HubServer]:
    with running_hub() as hub:
        yield hub


@pytest.fixture
def clock() -> SleepingClock:
    return SleepingClock()


@pytest.fixture
def hub(server: HubServer, clock: SleepingClock) -> Hub:
    return hub_at(server.address, clock)


def hub_at(endpoint: str, clock: SleepingClock, client_id: str = CLIENT_ID) -> Hub:
    settings = HubSettings(endpoint=endpoint, client_id=client_id)
    return Hub(settings, clock=clock, sleep=clock.sleep, now=lambda: NOW)


def ignore(_: CodeShown) -> None:
    pass


def oauth(server: HubServer, refresh: str = "") -> Credentials:
    return Credentials(
        endpoint=server.address,
        name="anna",
        token=SecretStr("hf_oauth_before"),
        kind="oauth",
        issued=NOW,
        expires=NOW + timedelta(hours=8),
        refresh_token=SecretStr(refresh) if refresh else None,
    )


def test_a_code_is_shown_and_entering_it_signs_in(hub: Hub, server: HubServer) -> None:
    shown: list[CodeShown] = []

    def enter(code: CodeShown) -> None:
        shown.append(code)
        server.approve(code.code, "anna")

    credentials = hub.grant(enter)

    assert credentials.name == "anna"
    assert credentials.token.get_secret_value() in server.tokens
    assert credentials.expires == NOW + timedelta(hours=8)
    assert credentials.refresh_token is not None
    assert credentials.refresh_token.get_secret_value() in server.refresh_tokens
    assert shown[0].address == f"{server.address}/oauth/device"


def test_the_app_asks_only_who_the_volunteer_is(hub: Hub, server: HubServer) -> None:
    server.approve_next("anna")
    hub.grant(ignore)
    (asked,) = server.requests("/oauth/device")
    assert asked.form == {"client_id": CLIENT_ID, "scope": "openid profile"}


def test_the_hub_sets_the_pace(hub: Hub, server: HubServer, clock: SleepingClock) -> None:
    server.interval, server.slow_downs = 7.0, 2
    server.approve_next("anna")
    hub.grant(ignore)
    assert clock.slept == [7.0, 12.0, 17.0]


def test_trouble_on_the_way_does_not_end_the_wait(hub: Hub, server: HubServer, clock: SleepingClock) -> None:
    server.interval = 4.0
    server.canned["/oauth/token"] = Canned(status=502, body=b"<html>Bad gateway</html>", times=2)
    server.approve_next("anna")
    assert hub.grant(ignore).name == "anna"
    assert clock.slept == [4.0, 8.0, 16.0]


def test_nobody_waits_longer_than_the_code_is_good(hub: Hub, server: HubServer, clock: SleepingClock) -> None:
    server.interval, server.code_seconds = 5.0, 60.0
    with pytest.raises(SignInError, match="in time"):
        hub.grant(ignore)
    assert sum(clock.slept) == 60.0


def test_a_hub_that_stays_away_is_named_at_the_end(hub: Hub, server: HubServer) -> None:
    server.code_seconds, server.interval = 60.0, 5.0
    server.canned["/oauth/token"] = Canned(status=500)
    with pytest.raises(SignInError, match="internal error"):
        hub.grant(ignore)


@pytest.mark.parametrize(
    ("settle", "words"), [(HubServer.deny, "declined"), (HubServer.expire, "not entered in time")]
)
def test_what_happens_in_the_browser_is_reported(
    hub: Hub, server: HubServer, settle: Callable[[HubServer, str], None], words: str
) -> None:
    with pytest.raises(SignInError, match=words):
        hub.grant(lambda code: settle(server, code.code))


@pytest.mark.parametrize(
    ("client_id", "words"), [("", "not registered"), ("another", "does not know this app")]
)
def test_an_app_that_the_hub_does_not_know_says_what_to_do(
    server: HubServer, clock: SleepingClock, client_id: str, words: str
) -> None:
    with pytest.raises(SignInError, match=words) as caught:
        hub_at(server.address, clock, client_id).grant(ignore)
    assert "token" in caught.value.remedy


def test_an_address_to_sign_in_at_on_another_site_is_never_shown(hub: Hub, server: HubServer) -> None:
    server.verification_uri = "https://huggingface.example/device"
    shown: list[CodeShown] = []
    with pytest.raises(HubError, match="another site"):
        hub.grant(shown.append)
    assert not shown


def test_a_code_that_would_drive_a_terminal_is_never_shown(hub: Hub, server: HubServer) -> None:
    body = (
        b'{"device_code": "d", "user_code": "\\u001b[2JAAAA", "expires_in": 9,'
        b' "verification_uri": "' + server.address.encode() + b'/x"}'
    )
    server.canned["/oauth/device"] = Canned(body=body)
    with pytest.raises(HubError, match="does not understand"):
        hub.grant(ignore)


def test_a_token_signs_in(hub: Hub, server: HubServer) -> None:
    token = server.add_token("anna")
    credentials = hub.check(SecretStr(token))
    assert (credentials.name, credentials.kind, credentials.expires) == ("anna", "token", None)
    assert credentials.token.get_secret_value() == token


@pytest.mark.parametrize(
    "token", ["hf_unknown_to_it", "short", "hf_with a space", "hf_line\nInjected: 1", "hf_ü" * 9]
)
def test_a_token_that_is_not_good_is_refused_and_not_quoted(hub: Hub, server: HubServer, token: str) -> None:
    with pytest.raises(CredentialsRejected) as caught:
        hub.check(SecretStr(token))
    assert token not in str(caught.value)
    assert all(asked.bearer == token for asked in server.asked)


def test_an_organisations_token_is_no_persons(hub: Hub, server: HubServer) -> None:
    server.organisations.add("acme")
    with pytest.raises(SignInError, match="does not belong to a person"):
        hub.check(SecretStr(server.add_token("acme")))


def test_renewing_gives_new_tokens_and_uses_the_old_up(hub: Hub, server: HubServer) -> None:
    server.refresh_tokens["hf_refresh_1"] = "anna"
    renewed = hub.renew(oauth(server, "hf_refresh_1"))
    assert renewed.token.get_secret_value() in server.tokens
    assert renewed.refresh_token is not None
    assert list(server.refresh_tokens) == [renewed.refresh_token.get_secret_value()]
    with pytest.raises(CredentialsRejected, match="renew"):
        hub.renew(oauth(server, "hf_refresh_1"))


def test_a_refresh_token_that_is_not_replaced_is_kept(hub: Hub, server: HubServer) -> None:
    server.refreshes = False
    server.refresh_tokens["hf_refresh_1"] = "anna"
    renewed = hub.renew(oauth(server, "hf_refresh_1"))
    assert renewed.refresh_token == SecretStr("hf_refresh_1")


@pytest.mark.parametrize("status", [302, 403, 404, 429, 500, 503])
def test_only_the_hubs_own_word_takes_a_sign_in_away(hub: Hub, server: HubServer, status: int) -> None:
    server.canned["/oauth/token"] = Canned(status=status, body=b"<html>Please sign in to this Wi-Fi</html>")
    with pytest.raises(HubError):
        hub.renew(oauth(server, "hf_refresh_1"))


def test_tokens_are_revoked_where_the_hub_offers_it(hub: Hub, server: HubServer) -> None:
    server.revocation = True
    assert hub.revoke(oauth(server, "hf_refresh_1"))
    assert server.revoked == ["hf_refresh_1"]


def test_a_hub_that_revokes_nothing_is_not_asked_to(hub: Hub, server: HubServer) -> None:
    assert not hub.revoke(oauth(server, "hf_refresh_1"))
    assert [asked.path for asked in server.asked] == ["/.well-known/openid-configuration"]


def test_no_token_is_sent_to_another_site_to_be_revoked(hub: Hub, server: HubServer) -> None:
    with running_hub() as elsewhere:
        body = b'{"revocation_endpoint": "' + elsewhere.address.encode() + b'/oauth/revoke"}'
        server.canned["/.well-known/openid-configuration"] = Canned(body=body)
        assert not hub.revoke(oauth(server, "hf_refresh_1"))
        assert not elsewhere.asked


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_no_redirect_is_followed_with_a_token(hub: Hub, server: HubServer, status: int) -> None:
    with running_hub() as elsewhere:
        place = {"Location": f"{elsewhere.address}/api/whoami-v2"}
        server.canned["/api/whoami-v2"] = Canned(status=status, headers=place)
        with pytest.raises(HubError, match="redirects to another address"):
            hub.check(SecretStr(server.add_token("anna")))
        assert not elsewhere.asked


@pytest.mark.parametrize(
    ("canned", "words"),
    [
        (Canned(body=b"x" * (LARGEST + 1)), "more than Idlebrush accepts"),
        (Canned(body=b"<html></html>", headers={"Content-Type": "text/html"}), "does not understand"),
        (Canned(body=b""), "does not understand"),
        (Canned(body=b"[" * 100_000), "does not understand"),
        (Canned(body=b'{"name": 1, "type": "user"}'), "does not understand"),
        (Canned(body=b'{"name": "\\u001b[2J", "type": "user"}'), "does not understand"),
        (Canned(body=b"\xff\xfe\x00", headers={"Content-Encoding": "gzip"}), "no valid answer"),
        (Canned(body=b"{", headers={"Content-Length": "99999"}), "no valid answer|does not understand"),
        (Canned(status=429, headers={"Retry-After": "90"}), "too many requests"),
        (Canned(status=500), "internal error"),
        (Canned(status=418), "refused the request"),
    ],
)
def test_a_hub_that_misbehaves_is_an_error_in_words_without_the_token(
    hub: Hub, server: HubServer, canned: Canned, words: str
) -> None:
    token = server.add_token("anna")
    server.canned["/api/whoami-v2"] = Canned(**{**vars(canned), "reflects": bool(canned.body)})
    with pytest.raises(HubError, match=words) as caught:
        hub.check(SecretStr(token))
    assert caught.value.remedy
    assert token not in whole_text(caught.value)


def test_a_wait_that_the_hub_asks_for_is_passed_on(hub: Hub, server: HubServer) -> None:
    server.canned["/api/whoami-v2"] = Canned(status=429, headers={"Retry-After": "90"})
    with pytest.raises(HubError) as caught:
        hub.check(SecretStr(server.add_token("anna")))
    assert caught.value.remedy == "Try again in 90 seconds."


def test_a_hub_that_drips_is_given_up(server: HubServer) -> None:
    class Hurried(SleepingClock):
        def __call__(self) -> float:
            self.seconds += 15.0
            return self.seconds

    server.canned["/api/whoami-v2"] = Canned(body=b"x" * 1000, drip_seconds=0.02)
    with pytest.raises(HubError, match="too slowly"):
        hub_at(server.address, Hurried()).check(SecretStr(server.add_token("anna")))


def test_a_hub_that_is_gone_is_reported_as_being_offline(clock: SleepingClock) -> None:
    with running_hub() as gone:
        address = gone.address
    with pytest.raises(HubError, match="cannot be reached") as caught:
        hub_at(address, clock).check(SecretStr("hf_some_token"))
    assert "online" in caught.value.remedy


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://huggingface.co",
        "https://user:pw@huggingface.co",
        "https://huggingface.co/sub",
        "ftp://huggingface.co",
        "huggingface.co",
        "https://",
        "http://[",
    ],
)
def test_a_token_is_sent_to_no_address_that_is_not_safe(clock: SleepingClock, endpoint: str) -> None:
    with pytest.raises(HubError, match="cannot be sent there safely"):
        hub_at(endpoint, clock)


def test_the_endpoint_and_the_app_can_be_set_from_outside() -> None:
    given = {"HF_ENDPOINT": "https://hub.example/", "IDLEBRUSH_OAUTH_CLIENT_ID": "mine"}
    settings = HubSettings.of_environment(given)
    assert (settings.endpoint, settings.client_id) == ("https://hub.example", "mine")
    for unset in ({}, {"HF_ENDPOINT": "", "IDLEBRUSH_OAUTH_CLIENT_ID": ""}):
        assert HubSettings.of_environment(unset) == HubSettings()


def whole_text(error: BaseException | None) -> str:
    """The error's text and those of what it came from, as a log would show them."""
    text = ""
    while error is not None:
        text += f"{error!r} {error}"
        error = error.__cause__ or error.__context__
    return text


@pytest.mark.parametrize("url", ["https://[abc", "https://elsewhere.example/x", "nonsense"])
def test_an_address_that_is_not_the_hubs_has_no_path_there(server: HubServer, url: str) -> None:
    assert HttpOrigin(server.address).path_of(url) is None

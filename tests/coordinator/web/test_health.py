"""The website serves health, metrics and the run's files to machines."""

from datetime import timedelta
from html import unescape
from urllib.parse import urljoin

import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient

from coordinator.recorder.own_relays import warning_of_relays
from coordinator.run_now import UsedUpRelay
from core.run.join_link import MANIFEST_PATH
from core.run.manifest import RunManifest
from core.signing import SigningKey
from core.storage.files import sha256_of
from tests.coordinator.web.conftest import browsing
from tests.coordinator.web.sites import HOSTILE_NAME, NOW, ServedSite, fill, say_now


def test_health_tells_whether_the_recorder_is_at_work(changing: ServedSite) -> None:
    client = browsing(changing)
    assert client.get("/healthz").json() == {"database": "ok", "recorder": "silent"}
    fill(changing, epochs=2)
    assert client.get("/healthz").json() == {"database": "ok", "recorder": "fresh"}
    changing.clock.now = NOW + timedelta(minutes=2)
    assert client.get("/healthz").json() == {"database": "ok", "recorder": "silent"}


def test_a_database_that_is_gone_is_reported_without_its_name(changing: ServedSite) -> None:
    client = browsing(changing)
    changing.database.close()
    changing.context.home.database.unlink()
    for remains in changing.context.home.root.glob("coordinator.sqlite-*"):
        remains.unlink()
    changing.context.home.database.mkdir()  # so that it is not made again
    assert (client.get("/healthz").status_code, client.get("/").status_code) == (503, 503)
    answer = client.get("/api/status")
    assert answer.status_code == 503
    assert "sqlite" not in answer.text
    assert client.get("/method").status_code == 200


def test_metrics_have_the_swarm_and_the_requests_and_nobodys_name(full: ServedSite) -> None:
    client = browsing(full)
    client.get("/volunteers/ada")
    client.get("/anything")
    text = client.get("/metrics").text
    samples = {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }
    assert samples["idlebrush_epoch", ()] == 40
    assert samples["idlebrush_peers", (("device", "gpu_24"), ("state", "training"))] == 3
    assert samples["idlebrush_reach", (("reach", "outgoing"),)] == 3
    assert samples["idlebrush_waiting", (("reason", "no donor"),)] == 1
    labels = (("method", "GET"), ("route", "/volunteers/{name}"), ("status", "200"))
    assert samples["idlebrush_http_requests_total", labels] == 1
    assert (
        "idlebrush_http_requests_total",
        (("method", "GET"), ("route", "none"), ("status", "404")),
    ) in samples
    assert not any(name in text for name in ("ada", "anything", HOSTILE_NAME))


def test_relays_that_have_used_up_their_total_are_told_to_people_and_to_machines(
    changing: ServedSite,
) -> None:
    client = browsing(changing)
    fill(changing, epochs=2)
    name = "idlebrush_relay_used_up_timestamp_seconds"
    assert f"{name}{{" not in client.get("/metrics").text
    used_up = {
        "bootstrap": UsedUpRelay(since=NOW, until=NOW + timedelta(hours=12), gigabytes=10.04, total=10.0)
    }
    say_now(changing, 2, used_up_relays=used_up, warning=warning_of_relays(used_up))
    changing.clock.seconds += 2.0  # pages are kept for a second
    told = client.get("/api/status").json()
    assert told["used_up_relays"] == {
        "bootstrap": {
            "since": "2026-11-22T12:00:00Z",
            "until": "2026-11-23T00:00:00Z",
            "gigabytes": 10.04,
            "total": 10.0,
        }
    }
    assert told["warning"] in unescape(client.get("/dashboard").text)
    families = text_string_to_metric_families(client.get("/metrics").text)
    (sample,) = [sample for family in families for sample in family.samples if sample.name == name]
    assert (sample.labels, sample.value) == ({"peer": "bootstrap"}, NOW.timestamp())


def test_the_manifest_is_served_as_it_is_signed_and_again_when_it_was_replaced(changing: ServedSite) -> None:
    client = browsing(changing)
    home = changing.context.home
    for path in ("/run.toml", MANIFEST_PATH):
        answer = client.get(path)
        assert answer.content == home.manifest.read_bytes()
        assert answer.headers["content-type"] == "application/x-idlebrush-run"
        name = f'filename="{changing.context.manifest.training.name}.idlebrush"'
        assert answer.headers["content-disposition"] == f"attachment; {name}"
    assert changing.context.manifest.contact.title == "A tiny run"
    assert client.get("/api/gate").status_code == 404


def test_the_join_page_opens_the_run_and_names_the_version_that_it_needs(changing: ServedSite) -> None:
    client, manifest = browsing(changing), changing.context.manifest
    page = client.get("/join").text
    assert 'href="idlebrush:join?run=' in page
    assert "An older one does not join" not in page
    contact = manifest.contact.model_copy(update={"least_version": "9.1"})
    newer = RunManifest.create(manifest.training, contact, SigningKey.generate())
    newer.save(changing.context.home.manifest)
    changing.clock.seconds += 2.0  # pages are kept for a second
    page = client.get("/join").text
    assert "Idlebrush 9.1 or newer. An older one does not join" in page


def test_files_are_those_of_the_manifest_whole_or_in_part(client: TestClient, full: ServedSite) -> None:
    manifest = full.context.manifest
    folder = full.context.home.manifest.parent
    for named in manifest.files:
        answer = client.get(urljoin(MANIFEST_PATH, named.path))  # as clients do
        assert answer.content == (folder / named.path).read_bytes()
        assert "immutable" in answer.headers["cache-control"]
        assert answer.headers["etag"] == f'"{sha256_of(folder / named.path)}"'
    part = client.get(f"/files/{named.path}", headers={"Range": "bytes=3-9"})
    assert (part.status_code, part.content) == (206, (folder / named.path).read_bytes()[3:10])


@pytest.mark.parametrize(
    "path",
    ["../coordinator.toml", "%2e%2e/keys/gate.pem", "nothing", "/etc/passwd", "shard.parquet%00"],
)
def test_no_other_file_is_given_away(client: TestClient, path: str) -> None:
    assert client.get(f"/files/{path}").status_code == 404


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/frames/0/40/0000000000000000", 404),
        ("/frames/0/41/0000000000000000", 404),
        ("/frames/-1/40/x", 404),
        ("/frames/0/99999999999999999999/x", 404),
        ("/frames/x/40/x", 422),
    ],
)
def test_only_pictures_that_there_are_are_shown(client: TestClient, path: str, status: int) -> None:
    assert client.get(path).status_code == status


def test_the_sites_own_files_may_be_kept_for_ever_under_their_version_alone(client: TestClient) -> None:
    address = client.get("/").text.partition('rel="stylesheet" href="')[2].partition('"')[0]
    lasting = client.get(address)
    assert "immutable" in lasting.headers["cache-control"]
    older = client.get(address.replace(address.split("/")[2], "0ld"))
    assert (older.content, older.headers["cache-control"]) == (lasting.content, "no-cache")
    assert client.get(address.replace("site.css", "../app.py")).status_code == 404

"""Joining a run from a real web server that does all that servers do."""

import os
import time
from collections.abc import Iterator
from contextlib import nullcontext
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save

from client.api.errors import DownloadError, JoinError
from client.fetching.web_client import WebClient
from client.joining.fitting import check_before_consent
from client.joining.invitation import RunInvitation, read_invitation
from client.joining.join import (
    HALF_DONE_SECONDS,
    JoinedRun,
    Room,
    RunOffer,
    fetch_run,
    forget_half_done,
    look_up,
)
from client.joining.run_card import RunCard
from client.joining.run_files import RUN_WORDING, check_names
from client.paths import Paths
from core.data.shards import CodeRow, write_shard
from core.errors import CoreError, ManifestError
from core.http_client import HttpClient, HttpLimits
from core.run.contact import Contact, ScorerRanking
from core.run.manifest import RunManifest
from core.run.training.data_rules import CodecRules
from core.run.training.families import picture_rules
from core.signing import SigningKey
from core.storage.files import FileRef, resolve_file
from tests.client.run_server import (
    Deed,
    Handler,
    RunServer,
    broken_off,
    drip,
    endless,
    missing,
    other,
    serving,
    silent,
    to,
    without_ranges,
)
from tests.hub.hub_run import hub_run
from tests.swarms.tiny_run import CODEC, MODEL, write_tiny_run

KEY = SigningKey.generate()
CODEBOOK = np.zeros((MODEL.image_vocab, 4), "<f2")
WEIGHTS = save({"quantize.embedding.weight": CODEBOOK, "z": np.frombuffer(os.urandom(299_584), "u1")})


@pytest.fixture
def run(tmp_path: Path) -> RunManifest:
    """A run, and its files in the folder that the server gives."""
    return write_run(tmp_path / "served")


def write_run(folder: Path) -> RunManifest:
    """A tiny run whose codec has weights of 300,000 bytes."""
    training = RunManifest.load(write_tiny_run(folder, codec=_large_codec)).training
    manifest = RunManifest.create(training, contact(serial=1), KEY)
    manifest.save(folder / "run.toml")
    return manifest


def _large_codec(folder: Path) -> CodecRules:
    config, weights = folder / "config.yaml", folder / "codec" / "vqgan.safetensors"
    config.write_text(CODEC)
    weights.parent.mkdir()
    weights.write_bytes(WEIGHTS)
    return CodecRules(config=FileRef.of(config, folder), weights=FileRef.of(weights, folder))


def contact(serial: int) -> Contact:
    return Contact(title="Emoji", serial=serial, issued_at=datetime(2026, 1, serial, tzinfo=UTC))


@pytest.fixture
def server(run: RunManifest, tmp_path: Path) -> Iterator[RunServer]:
    with serving(tmp_path / "served") as server:
        yield server


@pytest.fixture
def web() -> Iterator[WebClient]:
    with WebClient(
        HttpClient(HttpLimits(silence=1.5, whole=3.0), agent="idlebrush/test"), RUN_WORDING
    ) as web:
        yield web


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths.of_user({"IDLEBRUSH_HOME": str(tmp_path / "home")})


def offered(server: RunServer, run: RunManifest, web: WebClient, paths: Paths) -> RunOffer:
    return look_up(RunInvitation(server.address(), run.fingerprint), web, paths.run)


def unheard(name: str, done: int, total: int) -> None:
    pass


def assert_whole(joined: JoinedRun, run: RunManifest) -> None:
    assert RunManifest.load(joined.folder / "run.toml") == run
    assert RunCard.load(joined.folder).digest == run.training_digest
    for ref in run.files:
        resolve_file(ref, joined.folder)
    assert not list(joined.folder.rglob("*.part"))


def test_a_run_is_joined_from_the_web(
    server: RunServer, run: RunManifest, web: WebClient, paths: Paths
) -> None:
    offer = offered(server, run, web, paths)
    heard: list[tuple[str, int, int]] = []
    assert offer.download_bytes == sum(ref.size for ref in run.files)
    joined = fetch_run(offer, lambda *step: heard.append(step))
    assert joined.folder == paths.run(run.training_digest)
    assert_whole(joined, run)
    assert [done for _, done, _ in heard] == sorted(done for _, done, _ in heard)
    assert heard[-1] == ("shard.parquet", offer.download_bytes, offer.download_bytes)


def test_a_run_is_joined_from_a_folder(
    run: RunManifest, tmp_path: Path, web: WebClient, paths: Paths
) -> None:
    offer = look_up(read_invitation(str(tmp_path / "served")), web, paths.run)
    assert_whole(fetch_run(offer, unheard), run)


def misfit(folder: Path) -> RunManifest:
    """A run whose shard has images of another size than its model draws."""
    return RunManifest.load(write_tiny_run(folder, model=MODEL.model_copy(update={"grid": 8})))


def test_a_run_that_cannot_be_trained_is_not_joined(tmp_path: Path, web: WebClient, paths: Paths) -> None:
    run = misfit(tmp_path / "misfit")
    offer = look_up(read_invitation(str(tmp_path / "misfit")), web, paths.run)
    with pytest.raises(JoinError, match="4 x 4 codes, but the model draws 8 x 8") as refused:
        fetch_run(offer, unheard)
    assert "Tell the run's organiser" in refused.value.remedy
    assert not (paths.run(run.training_digest) / "run.toml").exists()


def test_a_data_set_on_the_hub_is_left_to_the_trainer(tmp_path: Path, web: WebClient, paths: Paths) -> None:
    """Nothing in this process could list it: it is joined without an answer of the Hub."""
    run = hub_run(tmp_path / "run", tmp_path / "hub")
    offer = look_up(read_invitation(str(tmp_path / "run")), web, paths.run)
    check_before_consent(run.training, offer.read)
    assert_whole(fetch_run(offer, unheard), run)


def test_what_fits_is_reported_before_consent_by_few_bytes(
    server: RunServer, run: RunManifest, web: WebClient, paths: Paths
) -> None:
    offer = offered(server, run, web, paths)
    server.asked.clear()
    check_before_consent(run.training, offer.read)
    assert [path for path, _ in server.asked] == ["/config.yaml", "/tokenizer.json", "/shard.parquet"]
    assert not paths.data.exists()


@pytest.mark.parametrize("deeds", [{}, {"shard.parquet": [without_ranges] * 9}], ids=["ranges", "no ranges"])
def test_a_large_shard_is_read_in_parts_where_its_server_gives_parts(
    deeds: dict[str, list[Deed]], tmp_path: Path, web: WebClient, paths: Paths
) -> None:
    run = misfit(tmp_path / "misfit")
    large = tmp_path / "misfit" / "shard.parquet"
    draws = np.random.default_rng(0).integers(0, 32, (100_000, 16))
    write_shard(large, [CodeRow("red cat", row.astype("<i2").tobytes(), "UNLIKELY", 64, 64) for row in draws])
    assert large.stat().st_size > 1 << 20
    shards = (FileRef.of(large, large.parent),)
    training = run.training.model_copy(
        update={"data": picture_rules(run.training).data.model_copy(update={"shards": shards})}
    )
    manifest = RunManifest.create(training, run.contact, KEY)
    manifest.save(large.parent / "run.toml")
    with serving(large.parent) as server:
        offer = offered(server, manifest, web, paths)
        server.asked.clear()
        for path, instead in deeds.items():
            server.instead(path, *instead)
        with nullcontext() if deeds else pytest.raises(JoinError, match="4 x 4 codes"):
            check_before_consent(training, offer.read)
        assert all(span for path, span in server.asked if path == "/shard.parquet")


@pytest.mark.parametrize("file", ["config.yaml", "tokenizer.json"])
def test_what_another_wrote_is_not_compared(
    file: str, server: RunServer, run: RunManifest, web: WebClient, paths: Paths
) -> None:
    server.instead(file, other(lambda data: data[:-1] + b"!"))
    with pytest.raises(JoinError, match="not the file that the run's organiser signed"):
        check_before_consent(run.training, offered(server, run, web, paths).read)


def test_the_embedded_run_is_joined_by_its_name(web: WebClient, paths: Paths) -> None:
    joined = fetch_run(look_up(read_invitation("embedded"), web, paths.run), unheard)
    assert_whole(joined, joined.manifest)
    assert joined.manifest.training.name == "emoji-starter"


def test_what_is_there_is_not_fetched_again(
    server: RunServer, run: RunManifest, web: WebClient, paths: Paths
) -> None:
    joined = fetch_run(offered(server, run, web, paths), unheard)
    (joined.folder / "tokenizer.json").write_text("spoiled")
    server.asked.clear()
    offer = offered(server, run, web, paths)
    assert [ref.path for ref in offer.missing] == ["tokenizer.json"]
    assert_whole(fetch_run(offer, unheard), run)
    assert [path for path, _ in server.asked] == ["/run.toml", "/tokenizer.json"]


def test_a_broken_download_is_resumed_where_it_ended(
    server: RunServer, run: RunManifest, web: WebClient, paths: Paths
) -> None:
    server.instead("codec/vqgan.safetensors", broken_off(after=100_000))
    offer = offered(server, run, web, paths)
    with pytest.raises(DownloadError, match=r"127\.0\.0\.1"):
        fetch_run(offer, unheard)
    assert not (offer.folder / "run.toml").exists()
    again = offered(server, run, web, paths)
    assert again.download_bytes == sum(ref.size for ref in again.missing) - 100_000
    assert_whole(fetch_run(again, unheard), run)
    assert ("/codec/vqgan.safetensors", "bytes=100000-") in server.asked


def test_a_server_that_cannot_resume_sends_all_again(
    server: RunServer, run: RunManifest, web: WebClient, paths: Paths
) -> None:
    server.instead("codec/vqgan.safetensors", broken_off(after=100_000), without_ranges)
    with pytest.raises(DownloadError):
        fetch_run(offered(server, run, web, paths), unheard)
    assert_whole(fetch_run(offered(server, run, web, paths), unheard), run)


def test_a_part_of_another_file_is_thrown_away(
    server: RunServer, run: RunManifest, web: WebClient, paths: Paths
) -> None:
    offer = offered(server, run, web, paths)
    part = offer.folder / "codec" / "vqgan.safetensors.part"
    part.parent.mkdir(parents=True)
    part.write_bytes(b"something else")
    assert_whole(fetch_run(offer, unheard), run)


@pytest.mark.parametrize(
    ("deed", "words"),
    [
        (missing, "404"),
        (other(lambda data: data[:-1]), "299999 bytes where the run's file has 300000"),
        (other(lambda data: bytes([data[0] ^ 1]) + data[1:]), "not the file that the run's organiser signed"),
        (endless, "more than the 300000 bytes"),
        (silent, "does not answer"),
        (to("http://localhost:1/x"), "redirects to 'http://localhost:1/x'"),
        (to("ftp://127.0.0.1/x"), "redirects to"),
        (to("/codec/vqgan.safetensors"), "redirects too often"),
    ],
)
def test_a_file_that_is_not_as_signed_is_refused_and_nothing_is_joined(
    deed: Deed, words: str, server: RunServer, run: RunManifest, web: WebClient, paths: Paths
) -> None:
    server.instead("codec/vqgan.safetensors", *[deed] * 6)
    offer = offered(server, run, web, paths)
    with pytest.raises(CoreError, match=words) as caught:
        fetch_run(offer, unheard)
    assert caught.value.remedy
    assert not (offer.folder / "run.toml").exists()
    server.deeds.clear()
    assert_whole(fetch_run(offered(server, run, web, paths), unheard), run)


@pytest.mark.parametrize(
    ("deed", "words"),
    [
        (missing, "404"),
        (other(lambda data: b"<html>"), "not a manifest in TOML"),
        (other(lambda data: data.replace(b"Emoji", b"Emojo")), "not what its organiser signed"),
        (other(lambda data: data[:200]), "manifest"),
        (endless, "more bytes than are accepted"),
        (silent, "does not answer"),
        (drip, "takes too long"),
    ],
)
def test_a_manifest_that_is_not_as_signed_is_refused(
    deed: Deed, words: str, server: RunServer, run: RunManifest, web: WebClient, paths: Paths
) -> None:
    server.instead("run.toml", deed)
    with pytest.raises(CoreError, match=words):
        offered(server, run, web, paths)
    assert not paths.data.exists()


def test_a_manifest_by_another_key_is_refused(server: RunServer, web: WebClient, paths: Paths) -> None:
    stranger = SigningKey.generate()
    manifest = RunManifest.load(server.folder / "run.toml")
    expected = RunManifest.create(manifest.training, manifest.contact, stranger).fingerprint
    with pytest.raises(ManifestError, match="signed by another key"):
        look_up(RunInvitation(server.address(), expected), web, paths.run)


def test_an_older_manifest_than_the_one_joined_is_refused(
    server: RunServer, run: RunManifest, web: WebClient, paths: Paths
) -> None:
    old = (server.folder / "run.toml").read_bytes()
    newer = run.reissue_contact(contact(serial=2), KEY)
    newer.save(server.folder / "run.toml")
    joined = fetch_run(offered(server, newer, web, paths), unheard)
    (server.folder / "run.toml").write_bytes(old)
    with pytest.raises(ManifestError, match="serial 1"):
        offered(server, run, web, paths)
    assert_whole(joined, newer)


def test_a_newer_manifest_takes_the_place_of_the_older(
    server: RunServer, run: RunManifest, web: WebClient, paths: Paths
) -> None:
    fetch_run(offered(server, run, web, paths), unheard)
    newer = run.reissue_contact(contact(serial=2), KEY)
    newer.save(server.folder / "run.toml")
    offer = offered(server, newer, web, paths)
    assert offer.missing == ()
    assert_whole(fetch_run(offer, unheard), newer)


def test_what_a_newer_contact_ranks_by_is_fetched_and_checked(
    server: RunServer, run: RunManifest, web: WebClient, paths: Paths
) -> None:
    fetch_run(offered(server, run, web, paths), unheard)
    (server.folder / "scorer.safetensors").write_bytes(b"scorer")
    scorer = FileRef.of(server.folder / "scorer.safetensors", server.folder)
    newer = run.reissue_contact(
        contact(serial=2).model_copy(update={"ranking": ScorerRanking(weights=scorer)}), KEY
    )
    newer.save(server.folder / "run.toml")
    server.instead("scorer.safetensors", other(lambda data: b"SCORER"))
    offer = offered(server, newer, web, paths)
    assert offer.missing == (scorer,)
    with pytest.raises(JoinError, match=r"scorer\.safetensors is not the file"):
        fetch_run(offer, unheard)
    assert_whole(fetch_run(offered(server, newer, web, paths), unheard), newer)


def test_a_redirect_within_a_server_is_followed(
    server: RunServer, run: RunManifest, web: WebClient, paths: Paths
) -> None:
    server.instead("run.toml", to("/moved/run.toml"))
    (server.folder / "moved").mkdir()
    (server.folder / "moved" / "run.toml").write_bytes((server.folder / "run.toml").read_bytes())
    assert offered(server, run, web, paths).manifest == run


@pytest.mark.parametrize("target", ["http://127.0.0.1:99999/", "http://[x/", "\x1b]0;title\x07"])
def test_a_redirect_to_what_is_no_address_is_reported_in_words(
    target: str, server: RunServer, run: RunManifest, web: WebClient, paths: Paths
) -> None:
    server.instead("run.toml", to(target))
    with pytest.raises(DownloadError) as caught:
        offered(server, run, web, paths)
    assert caught.value.what.isprintable()


@pytest.mark.parametrize(("status", "words"), [(503, "503 Service Unavailable"), (599, "599")])
def test_a_servers_own_words_for_a_status_are_not_repeated(
    status: int, words: str, server: RunServer, run: RunManifest, web: WebClient, paths: Paths
) -> None:
    server.instead("run.toml", partial(refuse, status))
    with pytest.raises(DownloadError, match=f"answered {words} for") as caught:
        offered(server, run, web, paths)
    assert "\x1b" not in caught.value.what


def refuse(status: int, handler: Handler, _data: bytes) -> None:
    handler.send_response(status, "\x1b]0;owned\x07 Fine")
    handler.send_header("Content-Length", "0")
    handler.end_headers()


def test_a_disk_that_is_too_full_is_reported_before_anything_is_fetched(
    server: RunServer, run: RunManifest, web: WebClient, paths: Paths
) -> None:
    offer = offered(server, run, web, paths)
    server.asked.clear()
    with pytest.raises(JoinError, match=r"needs 512 MiB on the disk, and 1 MiB are free"):
        fetch_run(offer, unheard, Room(free=lambda folder: 1 << 20))
    assert server.asked == []


def test_a_run_that_is_larger_than_the_volunteer_allows_is_not_fetched(
    server: RunServer, run: RunManifest, web: WebClient, paths: Paths
) -> None:
    joined = fetch_run(offered(server, run, web, paths), unheard, Room(limit=400_000))
    (joined.folder / "codec" / "vqgan.safetensors").rename(joined.folder / "something-else")
    with pytest.raises(JoinError, match="you allow 391 KiB"):
        fetch_run(offered(server, run, web, paths), unheard, Room(limit=400_000))


def test_a_disk_that_fills_up_meanwhile_leaves_what_can_be_resumed(
    server: RunServer, run: RunManifest, web: WebClient, paths: Paths
) -> None:
    offer = offered(server, run, web, paths)

    def full(name: str, done: int, total: int) -> None:
        if done > 100_000:
            raise OSError(28, "No space left on device")

    with pytest.raises(JoinError, match="No space left"):
        fetch_run(offer, full)
    assert_whole(fetch_run(offered(server, run, web, paths), unheard), run)


def test_a_server_that_is_not_there_is_reported_in_words(
    run: RunManifest, web: WebClient, paths: Paths
) -> None:
    with pytest.raises(DownloadError, match=r"127.0.0.1:1 cannot be reached"):
        look_up(RunInvitation("http://127.0.0.1:1/run.toml", run.fingerprint), web, paths.run)


@pytest.mark.parametrize("address", ["http://", "http://[::1", "https://a b/run.toml"])
def test_an_address_that_is_none_is_reported_in_words(address: str, web: WebClient, paths: Paths) -> None:
    with pytest.raises(DownloadError):
        look_up(RunInvitation(address, "x"), web, paths.run)


def test_no_password_of_the_user_is_sent(
    server: RunServer,
    run: RunManifest,
    web: WebClient,
    paths: Paths,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login me password secret\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    offered(server, run, web, paths)
    assert server.secrets == [None]


def test_a_link_out_of_the_folder_is_not_followed(
    server: RunServer, run: RunManifest, web: WebClient, paths: Paths, tmp_path: Path
) -> None:
    offer = offered(server, run, web, paths)
    (tmp_path / "elsewhere").mkdir()
    offer.folder.mkdir(parents=True)
    (offer.folder / "codec").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(JoinError, match="leads out of the run's folder"):
        fetch_run(offer, unheard)
    assert not list((tmp_path / "elsewhere").iterdir())


def test_a_second_attempt_at_the_same_time_is_sent_away(
    server: RunServer, run: RunManifest, web: WebClient, paths: Paths
) -> None:
    offer = offered(server, run, web, paths)
    refused: list[str] = []

    def meanwhile(name: str, done: int, total: int) -> None:
        with pytest.raises(JoinError) as caught:
            fetch_run(offer, unheard)
        refused.append(caught.value.what)

    assert_whole(fetch_run(offer, meanwhile), run)
    assert set(refused) == {"This run is being joined by another command."}


@pytest.mark.parametrize(
    "names",
    [("run.toml",), ("Run.TOML",), ("card.json",), ("peer/identity",), ("a.part",), ("shard", "Shard")],
    ids="+".join,
)
def test_names_that_collide_are_refused(names: tuple[str, ...]) -> None:
    refs = [FileRef(path=name, sha256=f"{number:064x}", size=1) for number, name in enumerate(names)]
    with pytest.raises(JoinError, match="cannot be kept under that name"):
        check_names(refs)


def test_half_done_downloads_are_forgotten_after_a_week_and_joined_runs_never(tmp_path: Path) -> None:
    for name in ("joined", "half-done"):
        (tmp_path / name).mkdir()
    (tmp_path / "joined" / "run.toml").touch()
    (tmp_path / "half-done" / "weights.part").touch()
    touched = (tmp_path / "half-done" / "weights.part").stat().st_mtime
    assert forget_half_done(tmp_path, touched + HALF_DONE_SECONDS - 1) == []
    assert forget_half_done(tmp_path, touched + HALF_DONE_SECONDS + 1) == [tmp_path / "half-done"]
    assert (tmp_path / "joined").exists()


def test_what_was_trained_or_lies_elsewhere_is_not_forgotten(tmp_path: Path) -> None:
    runs, elsewhere = tmp_path / "runs", tmp_path / "elsewhere"
    (runs / "trained" / "peer").mkdir(parents=True)  # whose manifest was lost
    elsewhere.mkdir()
    (runs / "linked").symlink_to(elsewhere)
    assert forget_half_done(runs, time.time() + 2 * HALF_DONE_SECONDS) == []
    assert (runs / "trained" / "peer").exists()
    assert elsewhere.exists()

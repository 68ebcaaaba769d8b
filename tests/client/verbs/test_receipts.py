"""`idlebrush receipts verify` tells genuine receipts and certificates from others."""

import json
from datetime import date
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from client.paths import HOME_VARIABLE, Paths
from core.admission.receipts import Certificate, Receipt, SignedCertificate, SignedReceipt
from core.run.contact import GateRules
from core.run.manifest import RunManifest
from core.signing import SigningKey
from tests.command_line import idlebrush
from tests.swarms.tiny_run import write_tiny_run

GATE = SigningKey.generate()
AMOUNTS: dict[str, Any] = {"name": "anna", "samples": 640, "compute_seconds": 61.0, "epochs": 5}


@pytest.fixture
def run(tmp_path: Path) -> RunManifest:
    plain = RunManifest.load(write_tiny_run(tmp_path / "run"))
    contact = plain.contact.model_copy(update={"gate": GateRules(key=GATE.public_key)})
    manifest = RunManifest.create(plain.training, contact, SigningKey.generate())
    manifest.save(tmp_path / "run.toml")
    return manifest


def receipt(run: str, key: SigningKey = GATE) -> SignedReceipt:
    return SignedReceipt.sign(Receipt(run=run, day=date(2026, 6, 1), **AMOUNTS), key)


def certificate(run: str) -> SignedCertificate:
    first, last = date(2026, 6, 1), date(2026, 7, 1)
    return SignedCertificate.sign(Certificate(run=run, title="Tiny", first=first, last=last, **AMOUNTS), GATE)


def written(folder: Path, signed: SignedReceipt | SignedCertificate | str) -> Path:
    file = folder / "signed.json"
    file.write_text(signed if isinstance(signed, str) else signed.model_dump_json(indent=2))
    return file


def verify(folder: Path, *words: str) -> CompletedProcess[str]:
    environment = {HOME_VARIABLE: str(folder / "home")}
    return idlebrush("receipts", "verify", *words, environment=environment)


def test_a_genuine_certificate_is_reported_with_what_it_states_and_its_code(
    run: RunManifest, tmp_path: Path
) -> None:
    signed = certificate(run.training_digest)
    done = verify(tmp_path, str(written(tmp_path, signed)), "--run", str(tmp_path / "run.toml"), "--json")
    assert done.returncode == 0, done.stderr
    (verdicts,) = json.loads(done.stdout)
    states = verdicts["states"]
    assert verdicts["genuine"]
    assert (states["samples"], states["code"], states["organiser"]) == (640, signed.code, run.fingerprint)


def test_a_receipt_of_a_joined_run_needs_no_manifest(run: RunManifest, tmp_path: Path) -> None:
    folder = Paths.of_user({HOME_VARIABLE: str(tmp_path / "home")}).run(run.training_digest)
    folder.mkdir(parents=True)
    run.save(folder / "run.toml")
    done = verify(tmp_path, str(written(tmp_path, receipt(run.training_digest))))
    assert done.returncode == 0, done.stderr
    assert "signed.json: genuine" in done.stdout
    assert "640" in done.stdout


def test_what_is_not_genuine_is_refused_with_the_reason(run: RunManifest, tmp_path: Path) -> None:
    digest = run.training_digest
    changed = receipt(digest).model_dump_json().replace('"samples":640,', '"samples":6400,')
    assert '"samples":6400,' in changed
    for given, reason in (
        (changed, "was not signed by this run's coordinator"),
        (receipt(digest, SigningKey.generate()), "was not signed by this run's coordinator"),
        (receipt("f" * 64), "belongs to another run"),
        ("{}", "This is not a receipt"),
        ("x" * 5000, "too long"),
    ):
        done = verify(tmp_path, str(written(tmp_path, given)), "--run", str(tmp_path / "run.toml"))
        assert done.returncode == 1
        assert "signed.json: refused. " in done.stdout
        assert reason in done.stdout


def test_a_run_that_is_not_known_here_has_to_be_given(run: RunManifest, tmp_path: Path) -> None:
    done = verify(tmp_path, str(written(tmp_path, receipt(run.training_digest))))
    assert done.returncode == 1
    assert "Give the run's manifest with --run" in done.stdout
    done = verify(tmp_path, str(tmp_path / "nothing.json"))
    assert "cannot be read" in done.stdout


def test_of_several_files_each_is_reported_by_its_name(run: RunManifest, tmp_path: Path) -> None:
    signed: SignedReceipt | SignedCertificate
    for name, signed in (
        ("first", receipt(run.training_digest)),
        ("forged", receipt(run.training_digest, SigningKey.generate())),
        ("last", certificate(run.training_digest)),
    ):
        (tmp_path / name).mkdir()
        written(tmp_path / name, signed)
    files = [str(tmp_path / name / "signed.json") for name in ("first", "forged", "last")]
    done = verify(tmp_path, *files, "--run", str(tmp_path / "run.toml"))
    assert done.returncode == 1
    for file, verdict in zip(files, ("genuine", "refused. ", "genuine"), strict=True):
        assert f"{file}: {verdict}" in done.stdout
    verdicts = json.loads(verify(tmp_path, *files, "--run", str(tmp_path / "run.toml"), "--json").stdout)
    assert [each["genuine"] for each in verdicts] == [True, False, True]


def test_a_damaged_manifest_of_a_joined_run_refuses_its_own_files_alone(
    run: RunManifest, tmp_path: Path
) -> None:
    home = Paths.of_user({HOME_VARIABLE: str(tmp_path / "home")})
    for digest in (run.training_digest, "d" * 64):
        home.run(digest).mkdir(parents=True)
    run.save(home.run(run.training_digest) / "run.toml")
    (home.run("d" * 64) / "run.toml").write_text("[training\n")
    for name, digest in (("damaged", "d" * 64), ("sound", run.training_digest)):
        (tmp_path / name).mkdir()
        written(tmp_path / name, receipt(digest))
    files = [str(tmp_path / name / "signed.json") for name in ("damaged", "sound")]
    done = verify(tmp_path, *files)
    assert done.returncode == 1
    assert f"{files[0]}: refused. " in done.stdout
    assert f"{files[1]}: genuine" in done.stdout


def test_an_open_run_signs_nothing(tmp_path: Path) -> None:
    manifest = write_tiny_run(tmp_path / "open")
    digest = RunManifest.load(manifest).training_digest
    done = verify(tmp_path, str(written(tmp_path, receipt(digest))), "--run", str(manifest))
    assert done.returncode == 1
    assert "has no gate" in done.stdout

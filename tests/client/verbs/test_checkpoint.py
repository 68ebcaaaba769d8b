"""`idlebrush checkpoint import`, `export` and `verify` as commands."""

import json
from pathlib import Path

import pytest
import torch
import yaml
from PIL import Image

from core.codec.autoencoder import Autoencoder
from core.codec.config import CodecConfig
from core.families.causal_lm.model import CausalTransformer
from core.model.transformer import Transformer
from core.published.model_folder import open_model
from core.run.manifest import RunManifest
from core.storage.checkpoint import TrainingState, save
from tests.command_line import idlebrush
from tests.core.codec.test_codec_loading import tiny_document
from tests.core.published.hivemind_state import GOLDENS, state_of
from tests.swarms.drawable_run import write_drawable_run
from tests.swarms.text_run import MODEL as TEXT_MODEL
from tests.swarms.text_run import write_text_run
from tests.swarms.tiny_run import MODEL, write_tiny_run


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run's manifest, and beside it a trainer's checkpoint, as a joined run has them."""
    path = write_tiny_run(tmp_path / "run")
    manifest = RunManifest.load(path)
    parameters = dict(Transformer(MODEL, torch.Generator().manual_seed(0)).state_dict())
    state = TrainingState(manifest.training.name, manifest.training_digest, 3, parameters, {})
    (path.parent / "peer").mkdir()
    save(path.parent / "peer" / "checkpoint", state)
    return path


def test_published_weights_are_imported_exported_and_verified(run: Path, tmp_path: Path) -> None:
    torch.save(state_of(MODEL), tmp_path / "model_state.pt")
    model, card = tmp_path / "model", tmp_path / "card"
    done = idlebrush("checkpoint", "import", tmp_path / "model_state.pt", "--out", model, "--like", run)
    assert (done.returncode, done.stderr) == (0, "")
    assert "a valid model of" in done.stdout
    assert "--tokenizer" in done.stdout
    done = idlebrush("checkpoint", "export", model, "--out", card, "--license", "mit", "--json")
    assert json.loads(done.stdout)["parameter_digest"] == open_model(model).document.parameter_digest
    assert "license: mit" in (card / "README.md").read_text()
    done = idlebrush("checkpoint", "verify", card, "--json")
    assert json.loads(done.stdout)["model"] == MODEL.model_dump(mode="json")


def test_a_checkpoint_is_exported_with_the_run_around_it(run: Path, tmp_path: Path) -> None:
    checkpoint = run.parent / "peer" / "checkpoint"
    done = idlebrush("checkpoint", "export", checkpoint, "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert "# tiny, epoch 3" in (tmp_path / "out" / "README.md").read_text()
    assert "import" not in done.stdout
    again = idlebrush("checkpoint", "import", tmp_path / "out", "--out", tmp_path / "back", "--json")
    assert json.loads(again.stdout)["origin"]["epoch"] == 3


def pixels_of(file: Path) -> bytes:
    """Return the pixels of a picture, whose text says which model drew it."""
    with Image.open(file) as picture:
        return picture.tobytes()


def test_an_exported_model_draws_what_its_checkpoint_does(tmp_path: Path) -> None:
    checkpoint = write_drawable_run(tmp_path / "run", saved=True).parent / "peer" / "checkpoint"
    assert idlebrush("checkpoint", "export", checkpoint, "--out", tmp_path / "model").returncode == 0
    drawn = []
    for name, source in (("one", checkpoint), ("two", tmp_path / "model")):
        asked = ("red heart", "-n", 2, "--seed", 1, "--checkpoint", source, "--out", tmp_path / name)
        done = idlebrush("generate", *asked, "--json")
        assert done.returncode == 0, done.stderr
        album = json.loads(done.stdout)
        assert album["epoch"] == 7
        files = [tmp_path / name / picture["file"] for picture in album["pictures"]]
        drawn.append([pixels_of(file) for file in files])
    assert len(drawn[0]) == 2
    assert drawn[0] == drawn[1]


def test_a_model_with_an_imported_codec_draws(run: Path, tmp_path: Path) -> None:
    document = tiny_document()
    document["model"]["params"]["n_embed"] = MODEL.image_vocab
    weights = Autoencoder(CodecConfig.model_validate(document)).state_dict()
    torch.save({"state_dict": weights}, tmp_path / "last.ckpt")
    (tmp_path / "config.yaml").write_text(yaml.safe_dump(document))
    torch.save(state_of(MODEL), tmp_path / "model_state.pt")
    codec, model = tmp_path / "codec", tmp_path / "model"
    done = idlebrush("checkpoint", "import", tmp_path / "last.ckpt", "--out", codec)
    assert "holds a codec with 32 codes" in done.stdout
    asked = ("--like", run, "--tokenizer", run.parent / "tokenizer.json", "--codec", codec)
    done = idlebrush("checkpoint", "import", tmp_path / "model_state.pt", "--out", model, *asked)
    assert done.returncode == 0, done.stderr
    options = ("-n", 1, "--checkpoint", model, "--out", tmp_path / "out", "--json")
    drawn = idlebrush("generate", "red heart", *options)
    assert drawn.returncode == 0, drawn.stderr
    (picture,) = json.loads(drawn.stdout)["pictures"]
    assert (tmp_path / "out" / picture["file"]).stat().st_size


def test_a_model_without_a_codec_says_what_it_lacks(run: Path, tmp_path: Path) -> None:
    torch.save(state_of(MODEL), tmp_path / "model_state.pt")
    asked = ("--out", tmp_path / "model", "--like", run, "--tokenizer", run.parent / "tokenizer.json")
    assert idlebrush("checkpoint", "import", tmp_path / "model_state.pt", *asked).returncode == 0
    done = idlebrush("generate", "red heart", "--checkpoint", tmp_path / "model", "--out", tmp_path / "out")
    assert (done.returncode, done.stdout) == (2, "")
    assert "has no image codec" in done.stderr


@pytest.mark.parametrize(
    ("file", "option"),
    [
        ("last.ckpt", "--like"),
        ("last.ckpt", "--tokenizer"),
        ("last.ckpt", "--codec"),
        ("state.pt", "--config"),
    ],
)
def test_an_option_that_would_change_nothing_is_refused(tmp_path: Path, file: str, option: str) -> None:
    done = idlebrush("checkpoint", "import", tmp_path / file, option, "something", "--out", tmp_path / "out")
    assert (done.returncode, done.stdout) == (2, "")
    assert option in done.stderr
    assert "does not apply to" in " ".join(done.stderr.split())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("import", "absent.pt"), "cannot be read"),
        (("import", "absent.ckpt"), "needs its configuration"),
        (("import", GOLDENS / "model_state.pt"), "--like"),
        (("import", GOLDENS / "model_state.pt", "--like", "gpt5"), "no preset"),
        (
            ("import", GOLDENS / "model_state.pt", "--like", "dalle"),
            "for 22 positions, not for 1281",
        ),
        (("export", "absent", "--out", "out"), "no checkpoint and no model"),
        (("verify", "absent"), "no checkpoint"),
    ],
)
def test_what_cannot_be_done_is_reported_in_two_lines(
    arguments: tuple[object, ...], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = idlebrush("checkpoint", *arguments)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 2)
    assert words in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_language_model_is_exported_verified_and_writes(tmp_path: Path) -> None:
    manifest = RunManifest.load(write_text_run(tmp_path / "run"))
    parameters = dict(CausalTransformer(TEXT_MODEL, torch.Generator().manual_seed(0)).state_dict())
    checkpoint = tmp_path / "run" / "peer" / "checkpoint"
    checkpoint.parent.mkdir()
    save(checkpoint, TrainingState(manifest.training.name, manifest.training_digest, 3, parameters, {}))
    out = tmp_path / "out"
    done = idlebrush("checkpoint", "export", checkpoint, "--out", out, "--license", "mit")
    assert (done.returncode, done.stderr) == (0, "")
    assert "a valid model of" in done.stdout
    assert "--tokenizer" not in done.stdout
    report = json.loads(idlebrush("checkpoint", "verify", out, "--json").stdout)
    assert (report["origin"]["epoch"], report["model"]["kind"]) == (3, "causal-lm")
    words = ("The number", "--tokens", "6", "--seed", "5")
    exported = json.loads(idlebrush("write", *words, "--checkpoint", out, "--json").stdout)
    assert json.loads(idlebrush("write", *words, "--run", tmp_path / "run", "--json").stdout) == exported
    done = idlebrush("write", "The number", "--tokens", "4096", "--checkpoint", out)
    assert done.stdout.startswith("The number")
    assert done.stderr == "The model looks back at too little for 4096 tokens: it writes 8.\n"
    (out / "model.safetensors").write_bytes(b"")
    done = idlebrush("checkpoint", "verify", out)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 2)


def test_a_model_that_draws_writes_no_text(run: Path, tmp_path: Path) -> None:
    for words in (("--run", run), ("--checkpoint", run.parent / "peer" / "checkpoint")):
        done = idlebrush("write", "a prompt", *words)
        assert (done.returncode, done.stdout) == (2, "")
        assert "writes no text" in done.stderr

"""Codecs as taming's authors publish them become folders of ours, without losing a bit."""

from pathlib import Path

import pytest
import torch
import yaml

from core.codec.autoencoder import Autoencoder
from core.codec.config import CodecConfig
from core.codec.vqgan import load_codec
from core.errors import CodecError
from core.published.importing import import_codec
from tests.core.codec.test_codec_loading import GUMBEL_TARGET, tiny_document


@pytest.fixture
def published(tmp_path: Path) -> Path:
    """Laid out as taming's archives are: ``configs/model.yaml``, ``checkpoints/last.ckpt``; returns the latter."""
    document = tiny_document(GUMBEL_TARGET)
    document["model"]["params"] |= {"kl_weight": 1e-8, "monitor": "val/rec_loss"}
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "model.yaml").write_text(yaml.safe_dump(document))
    torch.manual_seed(0)
    state = Autoencoder(CodecConfig.model_validate(document)).state_dict()
    loss = {"loss.discriminator.main.0.weight": torch.zeros(64, 3, 4, 4)}
    (tmp_path / "checkpoints").mkdir()
    checkpoint = {
        "epoch": 22,
        "global_step": 1,
        "pytorch-lightning_version": "1.0.8",
        "state_dict": state | loss,
        "optimizer_states": [
            {"state": {0: {"step": 1, "exp_avg": torch.zeros(2)}}, "param_groups": [{"lr": 4e-6}]}
        ],
    }
    torch.save(checkpoint, tmp_path / "checkpoints" / "last.ckpt")
    return tmp_path / "checkpoints" / "last.ckpt"


def test_a_published_checkpoint_becomes_a_folder_with_the_same_codec(published: Path, tmp_path: Path) -> None:
    import_codec(published, None, tmp_path / "codec")
    assert sorted(path.name for path in (tmp_path / "codec").iterdir()) == [
        "config.yaml",
        "vqgan.safetensors",
    ]
    theirs = load_codec(tmp_path / "configs" / "model.yaml", published)
    ours = load_codec(tmp_path / "codec" / "config.yaml", tmp_path / "codec" / "vqgan.safetensors")
    assert ours.weights().keys() == theirs.weights().keys()
    assert all(torch.equal(ours.weights()[name], tensor) for name, tensor in theirs.weights().items())


def test_a_configuration_beside_the_weights_comes_first_and_a_named_one_before_that(
    published: Path, tmp_path: Path
) -> None:
    (tmp_path / "configs" / "model.yaml").rename(published.with_name("gumbel.yaml"))
    assert import_codec(published, None, tmp_path / "codec").codebook_size == 16
    wrong = tiny_document(GUMBEL_TARGET)
    wrong["model"]["params"]["n_embed"] = 8
    (tmp_path / "wrong.yaml").write_text(yaml.safe_dump(wrong))
    with pytest.raises(CodecError, match="has the shape"):
        import_codec(published, tmp_path / "wrong.yaml", tmp_path / "other")
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize("names", [(), ("one.yaml", "other.yml")])
def test_it_is_not_guessed_which_configuration_belongs_to_the_weights(
    published: Path, tmp_path: Path, names: tuple[str, ...]
) -> None:
    if not names:
        (tmp_path / "configs" / "model.yaml").unlink()
    for name in names:
        published.with_name(name).write_text("model:")
    with pytest.raises(CodecError, match=f"beside it lie {len(names)}") as caught:
        import_codec(published, None, tmp_path / "codec")
    assert "--config" in caught.value.remedy


def test_nobodys_files_are_replaced_but_a_codec_is(published: Path, tmp_path: Path) -> None:
    import_codec(published, None, tmp_path / "codec")
    import_codec(published, None, tmp_path / "codec")
    (tmp_path / "codec" / "thesis.txt").write_text("years of work")
    with pytest.raises(CodecError, match=r"thesis\.txt"):
        import_codec(published, None, tmp_path / "codec")
    assert (tmp_path / "codec" / "thesis.txt").read_text() == "years of work"

"""Codecs are loaded from the formats they are published in, and from nothing damaged or unfitting."""

import struct
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
import yaml
from safetensors.torch import save_file
from torch import Tensor

from core.codec.autoencoder import Autoencoder
from core.codec.config import CodecConfig, read_config
from core.codec.vqgan import load_codec
from core.codec.weights import save_weights
from core.errors import CodecError
from core.skeletons import shapes_alone

VQ_TARGET = "taming.models.vqgan.VQModel"
GUMBEL_TARGET = "taming.models.vqgan.GumbelVQ"
Document = dict[str, Any]


def tiny_document(target: str = VQ_TARGET) -> Document:
    """A codec of 16 x 16 pixels and 4 x 4 codes, small enough to be made in a test."""
    backbone = {
        "double_z": False,
        "z_channels": 8,
        "resolution": 8,
        "in_channels": 12,
        "out_ch": 12,
        "ch": 32,
        "ch_mult": [1, 1],
        "num_res_blocks": 1,
        "attn_resolutions": [4],
        "dropout": 0.0,
    }
    params = {"embed_dim": 8, "n_embed": 16, "pixel_unshuffle": 2, "ddconfig": backbone}
    return {"model": {"target": target, "params": params}}


def published_gumbel_document() -> Document:
    """The configuration that taming published with its Gumbel f8 codec of 8192 codes."""
    backbone = {
        "double_z": False,
        "z_channels": 256,
        "resolution": 256,
        "in_channels": 3,
        "out_ch": 3,
        "ch": 128,
        "ch_mult": [1, 1, 2, 4],
        "num_res_blocks": 2,
        "attn_resolutions": [32],
        "dropout": 0.0,
    }
    params = {
        "kl_weight": 1e-08,
        "embed_dim": 256,
        "n_embed": 8192,
        "monitor": "val/rec_loss",
        "temperature_scheduler_config": {"target": "taming.lr_scheduler.LambdaWarmUpCosineScheduler"},
        "ddconfig": backbone,
        "lossconfig": {"target": "taming.modules.losses.vqperceptual.DummyLoss"},
    }
    return {"model": {"base_learning_rate": 4.5e-06, "target": GUMBEL_TARGET, "params": params}}


@pytest.fixture
def lightning_callback() -> Iterator[type]:
    """A class that pickles under the name of Lightning's, which is not installed."""
    name = "pytorch_lightning.callbacks.model_checkpoint"
    module = types.ModuleType(name)
    callback = type("ModelCheckpoint", (), {"__module__": name})
    vars(module)["ModelCheckpoint"] = callback
    parents = ["pytorch_lightning", "pytorch_lightning.callbacks"]
    sys.modules.update({parent: types.ModuleType(parent) for parent in parents} | {name: module})
    yield callback
    for one in (*parents, name):
        del sys.modules[one]


def write_config(folder: Path, document: Document) -> Path:
    path = folder / "config.yaml"
    path.write_text(yaml.safe_dump(document))
    return path


def write_codec(folder: Path, document: Document) -> tuple[Path, Path]:
    """A configuration and random weights that fit it."""
    torch.manual_seed(0)
    config, weights = write_config(folder, document), folder / "vqgan.safetensors"
    save_weights(Autoencoder(CodecConfig.model_validate(document)).state_dict(), weights)
    return config, weights


def random_state(config: CodecConfig) -> dict[str, Tensor]:
    with shapes_alone():
        names = Autoencoder(config).state_dict()
    generator = torch.Generator().manual_seed(0)
    return {name: 0.02 * torch.randn(one.shape, generator=generator).half() for name, one in names.items()}


def test_the_published_gumbel_checkpoint_loads_and_codes(tmp_path: Path, lightning_callback: type) -> None:
    config = write_config(tmp_path, published_gumbel_document())
    state = random_state(read_config(config))
    assert state["quantize.proj.weight"].shape == (8192, 256, 1, 1)
    assert state["quantize.embed.weight"].shape == (8192, 256)
    assert {"quant_conv.weight", "post_quant_conv.bias", "encoder.down.3.block.1.conv2.weight"} < set(state)
    assert {"decoder.up.0.block.2.norm1.bias", "encoder.mid.attn_1.q.weight"} < set(state)
    weights = tmp_path / "last.ckpt"
    torch.save(
        {
            "epoch": 22,
            "state_dict": state | {"loss.perceptual_loss.lin0.model.1.weight": torch.zeros(1, 64, 1, 1)},
            "callbacks": {lightning_callback: {"best_model_path": "somewhere"}},
        },
        weights,
    )
    codec = load_codec(config, weights)
    assert (codec.codebook_size, codec.downsampling, codec.grid) == (8192, 8, 32)
    images = torch.rand(1, 3, 32, 32, generator=torch.Generator().manual_seed(1))
    codes = codec.encode(images)
    assert codes.shape == (1, 4, 4)
    assert torch.equal(codes, codec.encode(images))
    assert codec.decode(codes).shape == (1, 3, 32, 32)


@pytest.mark.parametrize("target", [VQ_TARGET, GUMBEL_TARGET])
def test_codes_and_entries_are_those_of_tamings_own_quantizers(tmp_path: Path, target: str) -> None:
    torch.manual_seed(0)
    config = write_config(tmp_path, tiny_document(target))
    model = Autoencoder(read_config(config)).requires_grad_(False)
    if target == GUMBEL_TARGET:
        # Logits so far apart that taming's noise decides nothing.
        model.quantize.proj.weight.mul_(1e5)
    images = torch.rand(2, 3, 16, 16)
    latents = model.latents(images * 2 - 1)
    quantised, _, (_, _, nearest) = model.quantize(latents)
    codes = load_codec(config, _as_checkpoint(tmp_path, model)).encode(images)
    assert len(codes.unique()) > 1
    assert torch.equal(codes.flatten(), nearest.flatten())
    assert torch.allclose(model.entries(codes), quantised, atol=1e-5)
    looked_up = model.quantize.get_codebook_entry(codes.flatten(), (2, 4, 4, 8))
    assert torch.equal(model.entries(codes), looked_up)


def _as_checkpoint(folder: Path, model: Autoencoder) -> Path:
    path = folder / "same.ckpt"
    torch.save({"state_dict": model.state_dict()}, path)
    return path


def test_checkpoint_and_safetensors_hold_the_same_codec(tmp_path: Path) -> None:
    config, weights = write_codec(tmp_path, tiny_document())
    model = Autoencoder(read_config(config))
    half = {name: one.half() for name, one in model.state_dict().items()}
    save_file(half, weights)
    checkpoint = tmp_path / "last.ckpt"
    torch.save({"state_dict": half}, checkpoint)
    codes = torch.arange(16).view(1, 4, 4)
    images = load_codec(config, weights).decode(codes)
    assert torch.equal(images, load_codec(config, checkpoint).decode(codes))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("model", "target"), "os.system"),
        (("model", "params", "n_embed"), "many"),
        (("model", "params", "n_embed"), 1 << 40),
        (("model", "params", "remap"), "used.npy"),
        (("model", "params", "pixel_unshuffle"), 4),
        (("model", "params", "ddconfig", "ch"), 33),
        (("model", "params", "ddconfig", "ch_mult"), []),
        (("model", "params", "ddconfig", "double_z"), True),
        (("model", "params", "ddconfig", "resolution"), 9),
        (("model", "params", "ddconfig", "resolution"), 1024),
        (("model", "params", "ddconfig", "in_channels"), 3),
        (("model", "params"), None),
    ],
)
def test_wrong_values_of_the_configuration_are_named(
    tmp_path: Path, path: tuple[str, ...], value: object
) -> None:
    document = tiny_document()
    section = document
    for key in path[:-1]:
        section = section[key]
    section[path[-1]] = value
    with pytest.raises(CodecError) as caught:
        read_config(write_config(tmp_path, document))
    assert caught.value.remedy
    assert str(tmp_path / "config.yaml") in caught.value.what


BOMB = b"a: &a0 {k: v}\n" + b"".join(
    b"b%d: &a%d {<<: [%s]}\n" % (level, level, b",".join([b"*a%d" % (level - 1)] * 30))
    for level in range(1, 9)
)
"""Lines of YAML each of which merges the one before thirty times: 30^8 pairs in all."""


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff\xfe\x00",
        b"[" * 1000,
        b"# " + b"x" * (1 << 14),
        b"model: 2001-99-99",
        b"model: !!bool maybe",
        b"model: !!int many",
        b"model: !!timestamp never",
        BOMB,
    ],
    ids=lambda content: repr(content[:20]),
)
def test_what_is_no_configuration_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "config.yaml"
    path.write_bytes(content)
    with pytest.raises(CodecError):
        read_config(path)


def test_a_file_with_references_is_told_so(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_bytes(b"model: &model {}\nother: *model\n")
    with pytest.raises(CodecError, match="has references"):
        read_config(path)


def test_a_huge_codec_takes_no_memory_before_its_weights_are_known(tmp_path: Path) -> None:
    config, weights = write_codec(tmp_path, tiny_document())
    document = tiny_document()
    document["model"]["params"]["ddconfig"] |= {"ch": 1024, "ch_mult": [16, 16], "num_res_blocks": 8}
    write_config(tmp_path, document)
    with pytest.raises(CodecError, match=r"shape|lacks"):
        load_codec(config, weights)


def truncated(data: bytes) -> bytes:
    return data[: len(data) // 2]


def header_of_terabytes(data: bytes) -> bytes:
    return struct.pack("<Q", 1 << 40) + data[8:]


def flipped_in_the_header(data: bytes) -> bytes:
    return data[:20] + bytes([data[20] ^ 0xFF]) + data[21:]


@pytest.mark.parametrize("damage", [truncated, header_of_terabytes, flipped_in_the_header, lambda data: b""])
def test_damaged_safetensors_are_refused(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    config, weights = write_codec(tmp_path, tiny_document())
    weights.write_bytes(damage(weights.read_bytes()))
    with pytest.raises(CodecError) as caught:
        load_codec(config, weights)
    assert caught.value.remedy


@pytest.mark.parametrize("damage", [truncated, lambda data: b"", lambda data: b"no checkpoint"])
def test_damaged_checkpoints_are_refused(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    config, _ = write_codec(tmp_path, tiny_document())
    weights = _as_checkpoint(tmp_path, Autoencoder(read_config(config)))
    weights.write_bytes(damage(weights.read_bytes()))
    with pytest.raises(CodecError):
        load_codec(config, weights)


class HostileCodec:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return (exec, ("raise SystemExit('the checkpoint ran code')",))


def test_a_checkpoint_runs_no_code(tmp_path: Path) -> None:
    config, _ = write_codec(tmp_path, tiny_document())
    weights = tmp_path / "hostile.ckpt"
    torch.save({"state_dict": HostileCodec()}, weights)
    with pytest.raises(CodecError, match="unsafe"):
        load_codec(config, weights)


@pytest.mark.parametrize("content", [[], {"weights": {}}, {"state_dict": 3}, {"state_dict": {}}])
def test_checkpoints_without_the_tensors_are_refused(tmp_path: Path, content: object) -> None:
    config, _ = write_codec(tmp_path, tiny_document())
    weights = tmp_path / "other.ckpt"
    torch.save(content, weights)
    with pytest.raises(CodecError, match=r"state_dict|lacks"):
        load_codec(config, weights)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda one: None, "lacks 1 tensors"),
        (lambda one: one[:-1], "has the shape"),
        (lambda one: one.to(torch.int32), "does not hold floating-point numbers"),
        (lambda one: one * float("nan"), "are not finite"),
    ],
)
def test_weights_must_fit(tmp_path: Path, change: Callable[[Tensor], Tensor | None], message: str) -> None:
    config, weights = write_codec(tmp_path, tiny_document())
    state = random_state(read_config(config))
    changed = change(state.pop("quant_conv.weight"))
    save_file(state if changed is None else state | {"quant_conv.weight": changed}, weights)
    with pytest.raises(CodecError, match=message):
        load_codec(config, weights)


@pytest.mark.parametrize("name", ["absent.safetensors", "absent.ckpt", "config.yaml"])
def test_missing_and_unknown_files_are_refused(tmp_path: Path, name: str) -> None:
    config, _ = write_codec(tmp_path, tiny_document())
    with pytest.raises(CodecError):
        load_codec(config, tmp_path / name)
    with pytest.raises(CodecError):
        load_codec(tmp_path / "absent.yaml", tmp_path / name)


def test_nothing_is_printed_while_a_codec_loads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    load_codec(*write_codec(tmp_path, tiny_document()))
    assert capsys.readouterr().out == ""


def test_a_checkpoint_that_says_the_same_bytes_are_all_its_weights_is_refused(tmp_path: Path) -> None:
    config = write_config(tmp_path, tiny_document())
    shapes = {name: one.shape for name, one in random_state(read_config(config)).items()}
    state = {name: torch.zeros(1).expand(shape) for name, shape in shapes.items()}
    torch.save({"state_dict": state}, tmp_path / "last.ckpt")
    with pytest.raises(CodecError, match="cannot hold"):
        load_codec(config, tmp_path / "last.ckpt")

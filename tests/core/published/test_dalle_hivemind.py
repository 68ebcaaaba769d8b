"""Weights of dalle-hivemind are read as what they are, and whatever they are not is told."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from core.digest import digest
from core.errors import CheckpointError
from core.model.config import AttentionPattern, ModelConfig, preset
from core.model.transformer import Transformer
from core.published.dalle_hivemind import StateFile, import_state, infer_config, read_state_file
from core.published.model import parameter_shapes
from tests.core.published.hivemind_state import GOLDEN, GOLDENS, state_of

State = dict[str, Tensor]
SMALL = ModelConfig(dim=8, depth=6, heads=1, dim_head=8, text_length=3, text_vocab=7, grid=2, image_vocab=5)
QKV = "model.transformer.layers.blocks.4.f.net.fn.fn.fn.to_qkv.weight"


def logits(config: ModelConfig, parameters: State, given: State) -> tuple[Tensor, Tensor]:
    model = Transformer(config)
    model.load_state_dict(parameters)
    with torch.no_grad():
        return model.logits(given["text"], given["codes"])


@pytest.mark.parametrize("name", ["model_state.pt", "model_state_inference.pt"])
def test_logits_are_those_of_dalle_pytorch(name: str) -> None:
    expected = load_file(GOLDENS / "logits.safetensors")
    text, image = logits(*import_state(read_state_file(GOLDENS / name), GOLDEN), expected)
    torch.testing.assert_close(text.double(), expected["text_logits"], rtol=0, atol=1e-5)
    torch.testing.assert_close(image.double(), expected["image_logits"], rtol=0, atol=1e-5)


@pytest.mark.parametrize(
    "other",
    [
        {"patterns": (AttentionPattern.COLUMN, *[AttentionPattern.ROW] * 3)},
        {"last_pattern": AttentionPattern.ROW},
        {"token_shift": False},
    ],
)
def test_the_comparison_notices_what_no_shape_tells(other: dict[str, object]) -> None:
    expected = load_file(GOLDENS / "logits.safetensors")
    _, parameters = import_state(read_state_file(GOLDENS / "model_state.pt"), GOLDEN)
    _, image = logits(GOLDEN.model_copy(update=other), parameters, expected)
    assert float((image - expected["image_logits"]).abs().max()) > 1e-3


def test_both_builds_are_the_same_parameters() -> None:
    _, training = import_state(read_state_file(GOLDENS / "model_state.pt"), GOLDEN)
    _, inference = import_state(read_state_file(GOLDENS / "model_state_inference.pt"), GOLDEN)
    assert training.keys() == inference.keys()
    assert all(torch.equal(training[name], inference[name]) for name in training)


def saved(tmp_path: Path, state: State, suffix: str = ".pt") -> StateFile:
    path = tmp_path / f"model_state{suffix}"
    if suffix == ".pt":
        torch.save(state, path)
    else:
        save_file({name: tensor.clone() for name, tensor in state.items()}, path)
    return read_state_file(path)


@pytest.mark.parametrize("suffix", [".pt", ".safetensors"])
@pytest.mark.parametrize("wrapper", ["model.", ""])
@pytest.mark.parametrize("reversible", [True, False])
def test_every_layout_gives_the_same_parameters(
    tmp_path: Path, suffix: str, wrapper: str, reversible: bool
) -> None:
    config = SMALL.model_copy(update={"reversible": reversible})
    _, expected = import_state(saved(tmp_path, state_of(SMALL)), SMALL)
    _, found = import_state(saved(tmp_path, state_of(config, wrapper=wrapper), suffix), config)
    assert found.keys() == expected.keys() == parameter_shapes(config).keys()
    assert all(torch.equal(found[name], expected[name]) for name in found)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
def test_other_precisions_become_float32(tmp_path: Path, dtype: torch.dtype) -> None:
    state = {name: tensor.to(dtype) for name, tensor in state_of(SMALL).items()}
    _, parameters = import_state(saved(tmp_path, state), SMALL)
    assert {tensor.dtype for tensor in parameters.values()} == {torch.float32}
    assert torch.equal(parameters["norm.weight"], state["model.to_logits.0.weight"].float())


def test_parameters_outlive_the_file(tmp_path: Path) -> None:
    file = saved(tmp_path, state_of(SMALL))
    _, parameters = import_state(file, SMALL)
    before = parameters["norm.weight"].clone()
    file.path.write_bytes(bytes(file.size))
    assert torch.equal(parameters["norm.weight"], before)


def test_buffers_and_the_codec_are_passed_over(tmp_path: Path) -> None:
    others = {"logits_mask": torch.ones(1, 2), "vae.model.encoder.conv_in.weight": torch.zeros(3)}
    state = state_of(SMALL) | {f"model.{name}": tensor for name, tensor in others.items()}
    assert import_state(saved(tmp_path, state), SMALL)[0] == SMALL


PAPER = preset("dalle")


@pytest.mark.parametrize(
    "sizes",
    [
        {},
        {"dim": 512, "depth": 12, "heads": 8},
        {"text_vocab": 49408, "feed_forward_factor": 2},
        {"reversible": False, "depth": 2},
    ],
)
def test_shapes_tell_the_sizes_of_a_model_of_the_papers_kind(sizes: dict[str, object]) -> None:
    config = PAPER.model_copy(update=sizes)
    state = state_of(config, wrapper="", device="meta")
    assert infer_config({name: tensor.shape for name, tensor in state.items()}) == config


def test_the_papers_model_needs_no_word_of_what_it_is(tmp_path: Path) -> None:
    tiny = PAPER.model_copy(update={"dim": 4, "depth": 2, "heads": 1, "text_vocab": 10})
    assert import_state(saved(tmp_path, state_of(tiny)))[0] == tiny


Change = Callable[[State], object]


def put(name: str, tensor: Tensor) -> Change:
    return lambda state: state.update({name: tensor})


def spoil(name: str, value: float) -> Change:
    def change(state: State) -> None:
        state[name] = state[name].clone()
        state[name].view(-1)[3] = value

    return change


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (spoil(QKV, 0.0), r"blocks\.4\..* and .*blocks\.0\..* differ"),
        (spoil("model.text_emb.linear.weight", 0.0), r"text_emb.* and .*to_logits\.1\.weight.* differ"),
        (spoil("model.to_logits.0.bias", float("nan")), "are not finite"),
        (spoil("model.to_logits.0.bias", float("inf")), "are not finite"),
        (lambda state: state.pop("model.to_logits.0.bias"), r"lacks norm\.bias"),
        (lambda state: state.pop("model.transformer.layers.blocks.5.g.net.scale"), r"lacks layers\.5"),
        (put("model.to_logits.2.weight", torch.zeros(1)), r"no parameter 'to_logits\.2\.weight'"),
        (put("model.text_emb.weight", torch.zeros(10, 8)), "no parameter"),
        (put("model." + "x" * 10_000, torch.zeros(1)), "no parameter 'xxx"),
        (put("model.transformer.layers.blocks.0.f.net.fn.", torch.zeros(8)), "no parameter"),
        (put("model.transformer.layers.blocks.0.f.net.scale.norm.weight", torch.zeros(8)), "no parameter"),
        (put("optimizer.state", torch.zeros(1)), "beside a model"),
        (put("model.to_logits.0.bias", torch.zeros(9)), r"shape \(9,\), not \(8,\)"),
        (put("model.to_logits.0.bias", torch.zeros(8, dtype=torch.int32)), "not laid out"),
        (put("model.to_logits.0.bias", torch.zeros(1).expand(8)), "not laid out"),
        (put("model.transformer.layers.blocks.6.f.net.scale", torch.zeros(8)), "more than the model"),
        (put("model.transformer.layers.blocks.999999.f.net.scale", torch.zeros(8)), "more than the model"),
        (put(f"model.transformer.layers.blocks.{'9' * 5000}.f.net.scale", torch.zeros(8)), "no parameter"),
        (put("model.transformer.pos_emb", torch.zeros(1, 1281, 60)), "for 1281 positions, not for 8"),
    ],
)
def test_what_is_not_the_model_is_named(tmp_path: Path, change: Change, words: str) -> None:
    state = state_of(SMALL)
    change(state)
    with pytest.raises(CheckpointError, match=words) as caught:
        import_state(saved(tmp_path, state), SMALL)
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize("dtype", [torch.float8_e4m3fn, torch.float8_e8m0fnu, torch.complex64, torch.bool])
def test_kinds_of_numbers_that_models_are_not_kept_in_are_refused(tmp_path: Path, dtype: torch.dtype) -> None:
    state = {name: tensor.to(dtype) for name, tensor in state_of(SMALL).items()}
    with pytest.raises(CheckpointError, match="not laid out"):
        import_state(saved(tmp_path, state, ".safetensors"), SMALL)


def test_whatever_bytes_change_the_parameters_are_the_same_or_refused(tmp_path: Path) -> None:
    original, draws, refused = (GOLDENS / "model_state.pt").read_bytes(), random.Random(0), 0
    expected = digest(import_state(read_state_file(GOLDENS / "model_state.pt"), GOLDEN)[1])
    path = tmp_path / "changed.pt"
    for _ in range(200):
        changed = bytearray(original)
        for _ in range(draws.choice((1, 2, 5))):
            changed[draws.randrange(len(changed))] = draws.randrange(256)
        path.write_bytes(changed)
        try:
            assert digest(import_state(read_state_file(path), GOLDEN)[1]) == expected
        except CheckpointError:
            refused += 1
    assert 100 < refused < 200


def test_layers_put_together_otherwise_are_not_taken_for_the_model(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="not reversible"):
        import_state(saved(tmp_path, state_of(SMALL.model_copy(update={"reversible": False}))), SMALL)


def test_without_a_word_of_what_it_is_a_small_model_is_not_guessed(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="not those of the paper's kind") as caught:
        import_state(saved(tmp_path, state_of(SMALL)))
    assert "--like" in caught.value.remedy


@pytest.mark.parametrize("weight", [torch.zeros(()), torch.zeros(0), torch.zeros(1).expand(1 << 40)])
def test_absurd_shapes_are_refused_before_memory_is_taken(tmp_path: Path, weight: Tensor) -> None:
    state = state_of(SMALL) | {"model.to_logits.0.weight": weight}
    with pytest.raises(CheckpointError):
        import_state(saved(tmp_path, state))


def test_sizes_that_agree_with_each_other_are_still_beyond_the_file(tmp_path: Path) -> None:
    vast = PAPER.model_copy(update={"dim": 1 << 28, "heads": 1 << 22})
    state = {
        f"model.{name}": torch.zeros(1).expand(tensor.shape)
        for name, tensor in state_of(vast, wrapper="", device="meta").items()
    }
    with pytest.raises(CheckpointError, match="cannot be in a file"):
        import_state(saved(tmp_path, state))


def test_a_file_that_says_the_same_bytes_are_all_its_parameters_is_refused(tmp_path: Path) -> None:
    large = ModelConfig(
        dim=256, depth=40, heads=4, text_length=3, text_vocab=7, grid=2, image_vocab=5, shared_layers=0
    )
    one = torch.zeros(8 * 256 * 256)
    state = {name: one[: tensor.numel()].view(tensor.shape) for name, tensor in state_of(large).items()}
    with pytest.raises(CheckpointError, match="cannot be in a file"):
        import_state(saved(tmp_path, state), large)

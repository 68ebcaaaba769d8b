"""All peers of a run begin with the same model, and where the run says so with the codec's idea of which codes are
alike."""

import hashlib
from pathlib import Path

import pytest
import torch
from torch import Tensor

from core.codec.vqgan import load_codec
from core.errors import CodecError, ManifestError
from core.families.text_to_image.codebook import sketched
from core.model.family.trainable import TrainableModel
from core.model.transformer import Transformer
from core.run.manifest import RunManifest
from core.run.training.data_rules import CodesBegin
from core.run.training.families import picture_rules
from core.storage.files import resolve_file
from core.swarm.initial_model import initial_model
from tests.swarms.drawable_run import write_drawable_codec
from tests.swarms.tiny_run import MODEL, write_tiny_run

BITS = "ad1d87835dee81c34aa5b00f254f2d36f2373c9e3f55604187959340344ac52b"


def by_codebook(folder: Path) -> tuple[RunManifest, Tensor]:
    """Write a run that begins with its codec's codebook; return its manifest, and that."""
    path = write_tiny_run(folder, codec=write_drawable_codec, codes_begin=CodesBegin.CODEBOOK)
    manifest = RunManifest.load(path)
    codec = picture_rules(manifest.training).codec
    loaded = load_codec(resolve_file(codec.config, folder), resolve_file(codec.weights, folder))
    return manifest, loaded.weights()[loaded.config.codebook_name]


def code_vectors(model: TrainableModel) -> Tensor:
    assert isinstance(model, Transformer)
    return model.vocabulary.weight.detach()[MODEL.text_classes :]


def cosines(vectors: Tensor) -> Tensor:
    unit = torch.nn.functional.normalize(vectors.double(), dim=1)
    return unit @ unit.T


def test_a_run_draws_its_model_by_its_manifest(tmp_path: Path) -> None:
    manifest = RunManifest.load(write_tiny_run(tmp_path / "one"))
    other = RunManifest.load(write_tiny_run(tmp_path / "other", epochs=201))
    one, again = (initial_model(manifest, tmp_path / "nowhere") for _ in range(2))
    assert all(torch.equal(a, b) for a, b in zip(one.parameters(), again.parameters(), strict=True))
    assert not torch.equal(code_vectors(one), code_vectors(initial_model(other, tmp_path)))


def test_codes_begin_as_alike_as_the_codebook_has_them(tmp_path: Path) -> None:
    manifest, codebook = by_codebook(tmp_path)
    model = initial_model(manifest, tmp_path)
    assert isinstance(model, Transformer)
    torch.testing.assert_close(cosines(code_vectors(model)), cosines(codebook), rtol=0, atol=1e-6)
    words = model.vocabulary.weight.detach()[: MODEL.text_classes]
    assert code_vectors(model).std().item() == pytest.approx(words.std().item(), rel=0.2)


@pytest.mark.parametrize(("channels", "dim"), [(256, 64), (96, 64), (40, 64)])
def test_other_sizes_keep_likeness_about(channels: int, dim: int) -> None:
    generator = torch.Generator().manual_seed(0)
    kinds = torch.randn(8, channels, generator=generator).repeat_interleave(12, dim=0)
    vectors = kinds + 0.5 * torch.randn(96, channels, generator=generator)
    found = sketched(vectors, dim, generator)
    assert found.shape == (96, dim)
    both = torch.stack([cosines(vectors).flatten(), cosines(found).flatten()])
    assert torch.corrcoef(both)[0, 1] > 0.9
    assert found.square().mean().sqrt().item() == pytest.approx((3 * dim) ** -0.5, rel=0.1)


def test_its_bits_depend_on_no_thread_and_no_machine() -> None:
    """As many vectors as PyTorch shares among threads, and the bits that another machine would have."""
    steps = torch.arange(4096 * 64, dtype=torch.float64)
    vectors = ((steps * 0x9E3779B1) % 65_521 / 65_521 - 0.5).float().view(4096, 64)
    before, found = torch.get_num_threads(), []
    try:
        for threads in (1, 3):
            torch.set_num_threads(threads)
            values = sketched(vectors, 128, torch.Generator().manual_seed(0)).float()
            found.append(hashlib.sha256(values.numpy().tobytes()).hexdigest())
    finally:
        torch.set_num_threads(before)
    assert found == [BITS, BITS]


def test_a_codebook_that_is_zero_or_missing_is_said(tmp_path: Path) -> None:
    manifest = RunManifest.load(write_tiny_run(tmp_path, codes_begin=CodesBegin.CODEBOOK))
    with pytest.raises(CodecError, match="is zero"):
        initial_model(manifest, tmp_path)
    with pytest.raises(ManifestError, match=r"codec\.yaml"):
        initial_model(manifest, tmp_path / "nowhere")

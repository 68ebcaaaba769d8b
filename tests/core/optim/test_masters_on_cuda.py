"""Masters in RAM of a model on a GPU: values go there rounded once, gradients come back as they are."""

import pytest
import torch

from core.model.techniques import Precision
from core.model.transformer import Transformer
from core.optim.masters import Masters
from tests.core.model.tiny_model import TINY

pytestmark = [pytest.mark.cuda, pytest.mark.skipif(not torch.cuda.is_available(), reason="There is no GPU.")]


def on_gpu(precision: Precision) -> Transformer:
    model = Transformer(TINY, torch.Generator().manual_seed(0))
    model.compute_in(precision)
    return model.cuda()


@pytest.mark.parametrize("precision", Precision)
@pytest.mark.parametrize("taken_on_gpu", [True, False])
def test_the_model_gets_the_masters_values(precision: Precision, taken_on_gpu: bool) -> None:
    model = Transformer(TINY, torch.Generator().manual_seed(0))
    masters = None if taken_on_gpu else Masters(model.named_parameters())
    model.compute_in(precision)
    model.cuda()
    masters = masters or Masters(model.named_parameters())
    assert all(item.is_pinned() is taken_on_gpu for item in masters.tensors().values())
    for number in range(20):  # as fast after each other as they come: no copy may be under way any more
        for value in masters.tensors().values():
            value.fill_(number + 1 / 3)
        masters.copy_to_model()
    for parameter in model.parameters():
        expected = torch.full_like(parameter, 20 - 1 + 1 / 3)
        assert torch.equal(parameter, expected)


def test_gradients_come_back_as_they_are() -> None:
    model = on_gpu(Precision.BFLOAT16)
    masters = Masters(model.named_parameters())
    gradients = [torch.randn(item.shape, device="cuda") for item in masters.model_parameters()]
    masters.set_gradients(gradients)
    for (_, master), gradient in zip(masters.named_parameters(), gradients, strict=True):
        assert master.grad is not None
        assert torch.equal(master.grad, gradient.cpu())

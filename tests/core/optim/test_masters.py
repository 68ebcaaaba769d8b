"""Master copies: the optimizer's float32 side of a model that computes elsewhere and in another type."""

import pytest
import torch
from torch import Tensor, nn

from core.errors import CheckpointError
from core.optim.lamb import Lamb8bit
from core.optim.masters import Masters
from core.optim.rules import decay_groups


class Tied(nn.Module):
    """Input and output embeddings are one parameter, as in the paper's model."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.embedding = nn.Embedding(50, 16)
        self.layer = nn.Linear(16, 16)
        self.head = nn.Linear(16, 50, bias=False)
        self.head.weight = self.embedding.weight

    def forward(self, tokens: Tensor) -> Tensor:
        logits: Tensor = self.head(torch.tanh(self.layer(self.embedding(tokens))))
        return logits


def masters_of(network: nn.Module) -> Masters:
    return Masters(network.named_parameters(remove_duplicate=False))


def gradients_of(network: nn.Module, step: int) -> list[Tensor]:
    network.zero_grad()
    tokens = torch.randint(0, 50, (8,), generator=torch.Generator().manual_seed(step))
    loss = nn.functional.cross_entropy(network(tokens).float(), tokens)
    loss.backward()
    return [parameter.grad.float() for parameter in network.parameters() if parameter.grad is not None]


def test_tied_parameters_have_one_master() -> None:
    masters = masters_of(Tied())
    assert [name for name, _ in masters.named_parameters()] == [
        "embedding.weight",
        "layer.weight",
        "layer.bias",
    ]


def test_two_parameters_over_the_same_memory_are_refused() -> None:
    parameter = nn.Parameter(torch.zeros(4))
    with pytest.raises(ValueError, match="same memory"):
        Masters([("one", parameter), ("other", nn.Parameter(parameter.data))])


def test_offloaded_training_equals_training_in_place() -> None:
    in_place, model = Tied(), Tied()
    masters = masters_of(model)
    offloaded = Lamb8bit(decay_groups(masters.named_parameters(), 0.045), 0.01, min_8bit_size=100)
    direct = Lamb8bit(decay_groups(in_place.named_parameters(), 0.045), 0.01, min_8bit_size=100)
    for step in range(5):
        masters.set_gradients(gradients_of(model, step))
        offloaded.step()
        masters.copy_to_model()
        gradients_of(in_place, step)
        direct.step()
    for one, other in zip(model.parameters(), in_place.parameters(), strict=True):
        assert torch.equal(one, other)


def test_updates_too_small_for_bfloat16_add_up_in_the_masters() -> None:
    model = Tied().to(torch.bfloat16)
    masters = masters_of(model)
    optimizer = Lamb8bit(masters.named_parameters(), 1e-4)
    start = {name: tensor.clone() for name, tensor in masters.tensors().items()}
    for _ in range(100):
        masters.set_gradients([torch.ones_like(tensor) for tensor in masters.tensors().values()])
        optimizer.step()
        masters.copy_to_model()
    for name, parameter in model.named_parameters():
        assert parameter.dtype == torch.bfloat16
        assert torch.equal(parameter, masters.tensors()[name].bfloat16())
        moved = (masters.tensors()[name] - start[name]).norm() / start[name].norm()
        assert moved == pytest.approx(0.01, rel=0.05)


def test_tied_weights_stay_tied() -> None:
    model = Tied()
    masters = masters_of(model)
    for tensor in masters.tensors().values():
        tensor.fill_(2.0)
    masters.copy_to_model()
    assert model.head.weight is model.embedding.weight
    assert (model.head.weight == 2).all()


def test_large_and_strided_parameters_arrive_whole() -> None:
    large = nn.Parameter(torch.zeros((1 << 21) + 3))
    strided = nn.Parameter(torch.zeros(4, 6).t())
    masters = Masters([("large", large), ("strided", strided)])
    for tensor in masters.tensors().values():
        tensor.copy_(torch.arange(tensor.numel()).reshape(tensor.shape))
    masters.copy_to_model()
    assert torch.equal(large.detach(), torch.arange((1 << 21) + 3).float())
    assert torch.equal(strided.detach(), torch.arange(24.0).reshape(6, 4))


def test_gradients_are_taken_without_a_copy_and_dropped() -> None:
    masters = Masters([("weight", nn.Parameter(torch.zeros(3)))])
    gradient = torch.ones(3)
    masters.set_gradients([gradient])
    ((_, master),) = masters.named_parameters()
    assert master.grad is not None
    assert master.grad.data_ptr() == gradient.data_ptr()
    masters.drop_gradients()
    assert master.grad is None


@pytest.mark.parametrize("gradients", [[], [torch.zeros(4)], [torch.zeros(3), torch.zeros(3)]])
def test_gradients_that_do_not_fit_are_refused(gradients: list[Tensor]) -> None:
    masters = Masters([("weight", nn.Parameter(torch.zeros(3)))])
    with pytest.raises(ValueError, match="gradients"):
        masters.set_gradients(gradients)


def test_load_takes_a_checkpoint() -> None:
    source, target = Tied(), Tied()
    nn.init.normal_(source.layer.weight)
    masters = masters_of(target)
    masters.load(masters_of(source).tensors())
    masters.copy_to_model()
    assert torch.equal(target.layer.weight, source.layer.weight)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"weight": torch.ones(3), "other": torch.ones(1)},
        {"weight": torch.ones(4)},
        {"weight": torch.ones(3, dtype=torch.float64)},
        {"weight": torch.tensor([1.0, float("nan"), 1.0])},
    ],
)
def test_load_of_another_model_changes_nothing(given: dict[str, Tensor]) -> None:
    masters = Masters([("weight", nn.Parameter(torch.zeros(3)))])
    with pytest.raises(CheckpointError):
        masters.load(given)
    assert torch.equal(masters.tensors()["weight"], torch.zeros(3))

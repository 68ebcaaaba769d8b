"""Describes in words how a run will use a volunteer's machine."""

from core.memory.lasting import bytes_of_moments
from core.memory.parameters import parameters
from core.model.family.config import FamilyConfig
from core.run.contact import ClipRanking, Contact, Ranking, ScorerRanking
from core.run.control_traffic import SWARM_OF_COMPARISON, control_bytes_a_day
from core.run.encodings import STATISTICS, RoundBytes, round_bytes
from core.run.rules import RunModel, SwarmRules, TrainingRules

_ASSUMED_SECONDS = 60.0
"""Seconds from one update to the next where the number of samples decides, which depends on who takes part."""


def describe(training: TrainingRules, contact: Contact) -> list[str]:
    """Describe a run in lines to read before joining.

    They tell of the model, its data, its schedule and the network traffic.

    Args:
        training: Rules of the run.
        contact: Contact part of its manifest.
    """
    schedule, swarm = training.schedule, training.swarm
    return [
        f"{contact.title} ({training.name})",
        f"Model: {_in_words(parameter_count(training.model))} parameters in {training.model.depth} layers; "
        f"{training.product.clause}.",
        f"Learns from: {_data(training)}",
        f"Goal: {schedule.total_epochs:,} updates, {_pace(swarm)}.",
        f"Network: each update sends up to {_size(bytes_of_update(training))} and receives as much "
        f"({_form(swarm)}). {_beside(swarm)}",
        f"Coordinator: {contact.coordinator or 'none'}; addresses to enter by: {len(contact.initial_peers)}.",
        *_ranking(contact.ranking),
        *_needs(contact.least_version),
    ]


def parameter_count(model: RunModel) -> int:
    """Return the number of parameters of ``model``, shared ones counted once."""
    if isinstance(model, FamilyConfig):
        return sum(item.total for item in model.parameters())
    attention_width = model.heads * model.dim_head
    attention = 4 * model.dim * attention_width + model.dim
    hidden = model.feed_forward_factor * model.dim
    feed_forward = (model.dim + 1) * 2 * hidden + (hidden + 1) * model.dim
    weight_sets = len({model.weight_set(layer) for layer in range(model.depth)})
    norms_and_scales = model.depth * 2 * 3 * model.dim + 2 * model.dim
    # One row for each padding position, as in DALL-E; the output shares the embedding and adds a bias.
    vocabulary = model.text_classes + model.image_vocab
    return weight_sets * (attention + feed_forward) + norms_and_scales + vocabulary * (model.dim + 1)


def bytes_of_update(training: TrainingRules) -> int:
    """Return the bytes of all values that a peer of ``training`` sends for an update, and of their aggregates.

    An all-reduce among N peers sends (N - 1) / N times as much, and receives as much.
    """
    size = bytes_of_round(training)
    return size.values + size.aggregates


def bytes_of_round(training: TrainingRules) -> RoundBytes:
    """Return the bytes of a round of ``training``: those of one peer's values, and those of all aggregates."""
    tensors = (
        training.swarm.travelling(item.shape)
        for item in parameters(training.model)
        for _ in range(item.count)
    )
    return round_bytes([*tensors, STATISTICS])


def bytes_of_state(training: TrainingRules) -> int:
    """Return about the bytes that a peer takes at once when it joins a run of ``training`` that has made epochs.

    These are the parameters in float32, and the state of what makes the updates: the moments of the optimizer, or
    where peers make local steps the momentum of the outer step, if it has one. Bases of low rank are left out.
    """
    found, local = parameters(training.model), training.swarm.local_steps
    values = 4 * sum(item.total for item in found)
    if local is None:
        rules = training.optimizer
        return values + sum(
            item.count * bytes_of_moments(item.elements, rules.min_8bit_size, rules.block_size)
            for item in found
        )
    return 2 * values if local.outer_momentum else values


def _pace(swarm: SwarmRules) -> str:
    if swarm.round_seconds is not None:
        return f"one every {swarm.round_seconds:,g} seconds"
    return f"each from {swarm.target_batch_size:,} samples"


def _form(swarm: SwarmRules) -> str:
    if swarm.local_steps is None:
        return str(swarm.gradient_encoding)
    return f"drifts: {swarm.local_steps.drift_encoding}; their mean: {swarm.local_steps.mean_encoding}"


def _beside(swarm: SwarmRules) -> str:
    seconds = swarm.round_seconds or _ASSUMED_SECONDS
    size = _size(control_bytes_a_day(seconds))
    return (
        f"Keeping in touch with {SWARM_OF_COMPARISON} computers takes up to {size} more a day each way, "
        f"with an update every {seconds:.0f} seconds."
    )


def _data(training: TrainingRules) -> str:
    dropped = f" {training.unlabelled:.0%} of the samples are without caption." if training.unlabelled else ""
    if training.hub_data is not None:
        return f"{training.hub_data} on the Hugging Face Hub, read as a stream.{dropped}"
    files = training.data_files
    number = "1 file" if len(files) == 1 else f"{len(files):,} files"
    return f"{number} of {training.product.data}, {_size(sum(file.size for file in files))} in all.{dropped}"


def _ranking(ranking: Ranking | None) -> list[str]:
    match ranking:
        case None:
            return []
        case ClipRanking(repo=repo):
            return [
                f"Ranks pictures by: {repo}, fetched from the Hugging Face Hub when pictures are first ranked."
            ]
        case ScorerRanking(weights=weights):
            return [f"Ranks pictures by: a scorer of its own, {_size(weights.size)}."]


def _needs(least_version: str | None) -> list[str]:
    return [f"Needs: Idlebrush {least_version} or newer."] if least_version else []


def _in_words(count: int) -> str:
    for unit, name in ((10**9, "billion"), (10**6, "million"), (10**3, "thousand")):
        if count >= unit:
            return f"{count / unit:.1f} {name}"
    return str(count)


def _size(count: int) -> str:
    for unit, name in ((10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if count >= unit:
            return f"{count / unit:.1f} {name}"
    return f"{count} bytes"

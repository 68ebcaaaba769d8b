"""The model card of a published language model: what it is, how to use it, and what to expect of it."""

from core.families.causal_lm.config import CausalConfig
from core.published.card import front_matter, source_of, title_of
from core.published.document import ModelOrigin, RunOrigin
from core.run.describe import parameter_count

_PAPER = "[Language Models are Unsupervised Multitask Learners](https://openai.com/research/better-language-models)"
_USE = """\
```python
from transformers import AutoModelForCausalLM, AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained(".")
model = AutoModelForCausalLM.from_pretrained(".")
tokens = tokenizer("Once upon a time", return_tensors="pt")
print(tokenizer.decode(model.generate(**tokens, max_new_tokens=64)[0]))
```

With Idlebrush installed, in this folder:

```sh
idlebrush write "Once upon a time" --checkpoint .
```"""


def language_card(
    config: CausalConfig, origin: ModelOrigin, digest: str, license_id: str | None = None
) -> str:
    """Return the card of a model; it depends on nothing else.

    Args:
        config: Sizes of the model.
        origin: Run or file that the model comes from.
        digest: Digest of its parameters.
        license_id: One of the Hub's identifiers, such as ``apache-2.0``; None: the card claims no licence.
    """
    sections = [
        _front_matter(origin, license_id),
        f"# {title_of(origin)}\n\n{_summary(config)}",
        f"## How to write with it\n\nThe layout is that of GPT-2 in Hugging Face's transformers.\n\n{_USE}",
        f"## What it is\n\n{_table(config)}",
        f"## Where it comes from\n\n{source_of(origin, digest)}",
        f"## What to expect of it\n\n{_limits(license_id)}",
    ]
    return "\n\n".join(sections) + "\n"


def _front_matter(origin: ModelOrigin, license_id: str | None) -> str:
    fields = {
        "library_name": "transformers",
        "pipeline_tag": "text-generation",
        "tags": ["text-generation", "gpt2", "collaborative-training", "idlebrush"],
    }
    data = origin.data if isinstance(origin, RunOrigin) else None
    return front_matter(fields, license_id, data)


def _summary(config: CausalConfig) -> str:
    shared = (
        f" The layers use {config.shared_layers} sets of weights in turns. The file has a set once for each layer "
        "that uses it: if you train the model further, the copies begin to differ."
    )
    return (
        f"A causal language model of {parameter_count(config):,} parameters in {config.depth} layers. It continues a "
        f"text token by token, and looks back at up to {config.length:,} tokens. Its shape is that of GPT-2 "
        f"({_PAPER}, Radford et al., 2019), without dropout.{shared if config.shared_layers else ''}"
    )


def _table(config: CausalConfig) -> str:
    values = config.model_dump(mode="json", exclude={"kind", "reversible"})
    return "\n".join(
        (
            "| setting | value |",
            "| --- | --- |",
            *(f"| `{name}` | {value} |" for name, value in values.items()),
        )
    )


def _limits(license_id: str | None) -> str:
    limits = [
        "- It continues text as its data did, with that data's errors and biases. What it writes may be false.",
        "- It was not trained to follow instructions or to hold a conversation.",
        "- Trained on little data, it repeats passages of that data.",
        "- Nothing filters what it writes. Read texts before you show them to others.",
        "- A run that continues makes better checkpoints than an early one of it.",
    ]
    if not license_id:
        limits.append("- No licence was named for it: ask the run's organiser before you build on it.")
    return "\n".join(limits)

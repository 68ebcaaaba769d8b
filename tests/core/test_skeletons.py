"""Models of shapes alone take no memory, and load no compiler."""

import subprocess
import sys

COMPILER = "torch._dynamo"
BUILDS = f"""
import sys
from core.codec.autoencoder import Autoencoder
from core.codec.config import parse_config
from core.model.transformer import Transformer
from core.ranking.scorer import Scorer, ScorerConfig
from core.skeletons import shapes_alone
from tests.swarms.tiny_run import CODEC, MODEL

def model(rotary):
    return Transformer(MODEL.model_copy(update={{"depth": 4, "rotary": rotary}}))

builds = {{
    "rotary model": lambda: model(True),
    "model with learned positions": lambda: model(False),
    "codec": lambda: Autoencoder(parse_config(CODEC.encode(), "codec.yaml")),
    "scorer": lambda: Scorer(ScorerConfig(vocab=16, length=4, resolution=32)),
}}
for name, build in builds.items():
    with shapes_alone():
        module = build()
    devices = {{tensor.device.type for tensor in (*module.parameters(), *module.buffers())}}
    print(name, *devices, {COMPILER!r} in sys.modules, sep=", ")
"""


def test_shapes_alone_take_no_memory_and_load_no_compiler() -> None:
    done = subprocess.run([sys.executable, "-c", BUILDS], capture_output=True, text=True, check=True)
    names = ("rotary model", "model with learned positions", "codec", "scorer")
    assert done.stdout.splitlines() == [f"{name}, meta, False" for name in names]

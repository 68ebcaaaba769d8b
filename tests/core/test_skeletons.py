"""Models of shapes alone take no memory, and load no compiler."""

import subprocess
import sys

import pytest

COMPILER = "torch._dynamo"
MODEL = """
from core.model.transformer import Transformer
from tests.swarms.tiny_run import MODEL
build = lambda: Transformer(MODEL.model_copy(update={"depth": 4, "rotary": ROTARY}))
"""
CODEC = """
from core.codec.autoencoder import Autoencoder
from core.codec.config import parse_config
from tests.swarms.tiny_run import CODEC
build = lambda: Autoencoder(parse_config(CODEC.encode(), "codec.yaml"))
"""
SCORER = """
from core.ranking.scorer import Scorer, ScorerConfig
build = lambda: Scorer(ScorerConfig(vocab=16, length=4, resolution=32))
"""
CHECK = """
import sys
from core.skeletons import shapes_alone
with shapes_alone():
    module = build()
print(sorted({tensor.device.type for tensor in (*module.parameters(), *module.buffers())}))
print(COMPILER in sys.modules)
"""


@pytest.mark.parametrize(
    "builds",
    [MODEL.replace("ROTARY", "True"), MODEL.replace("ROTARY", "False"), CODEC, SCORER],
    ids=["rotary model", "model with learned positions", "codec", "scorer"],
)
def test_shapes_alone_take_no_memory_and_load_no_compiler(builds: str) -> None:
    program = f"COMPILER = {COMPILER!r}\n{builds}{CHECK}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["['meta']", "False"]

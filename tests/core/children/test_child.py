"""What a child postpones is loaded once something in it is used, and not before."""

import subprocess
import sys

POSTPONES = """
import inspect, sys
from core.children.child import postpone
postpone("colorsys")
import colorsys
inspect.getmodule(inspect.currentframe())  # which looks at all modules
print("rgb_to_hsv" in vars(colorsys))
from colorsys import ONE_THIRD, rgb_to_hsv
print(ONE_THIRD, colorsys.rgb_to_hsv is rgb_to_hsv, sys.modules["colorsys"].rgb_to_hsv is rgb_to_hsv)
"""


def test_a_postponed_module_is_loaded_when_it_is_used() -> None:
    done = subprocess.run([sys.executable, "-c", POSTPONES], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["False", f"{1 / 3} True True"]

"""What a child postpones is loaded once it is used; garbage is not collected while it imports, but afterwards."""

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


IMPORTS = """
import gc
from core.children.child import importing
before = gc.get_freeze_count()
try:
    with importing():
        import colorsys
        print(gc.isenabled())
        import a_module_that_is_missing
except ImportError:
    print(gc.isenabled())
with importing():
    import html.entities
print(gc.isenabled(), gc.get_freeze_count() > before)
gc.disable()
with importing():
    pass
print(gc.isenabled())
"""


def test_collection_of_garbage_goes_on_after_imports_as_before_whether_they_succeed_or_not() -> None:
    done = subprocess.run([sys.executable, "-c", IMPORTS], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["False", "True", "True True", "False"]

"""Tests of the search for the errors that leave a function."""

import ast

import pytest

from tests.docs.documented_code import Function
from tests.docs.raised_errors import RaisedErrors


def is_called(node: ast.stmt) -> bool:
    return isinstance(node, Function) and node.name == "called"


def errors(source: str) -> set[str]:
    """Return the errors that leave ``called``, a function or a method of the class ``Caller``, of a module."""
    tree = ast.parse(source)
    owners: dict[str | None, list[ast.stmt]] = {None: tree.body}
    owners |= {each.name: each.body for each in tree.body if isinstance(each, ast.ClassDef)}
    found = [(node, kind) for kind, body in owners.items() for node in body if is_called(node)]
    (node, kind) = found[0]
    assert isinstance(node, Function)
    return RaisedErrors(tree).of(node, kind)


PRIVATE = """
def _first():
    _second()

def _second():
    raise KeyError
"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("raise ValueError('no')", {"ValueError"}),
        ("_first()", {"KeyError"}),
        ("return [_second() for _ in ()]", {"KeyError"}),
        ("try:\n        _first()\n    except KeyError:\n        pass", set()),
        ("try:\n        _first()\n    except LookupError:\n        pass", set()),
        ("try:\n        _first()\n    except OSError:\n        pass", {"KeyError"}),
        ("try:\n        _first()\n    except KeyError:\n        raise", {"KeyError"}),
        (
            "try:\n        _first()\n    except KeyError as error:\n        raise ValueError from error",
            {"ValueError"},
        ),
        ("try:\n        _first()\n    finally:\n        pass", {"KeyError"}),
        ("try:\n        pass\n    except KeyError:\n        _first()", {"KeyError"}),
        ("with suppress(KeyError):\n        _first()", set()),
        ("with open(path):\n        _first()", {"KeyError"}),
        ("with in_words():\n        _first()", {"KeyError"}),
        ("with starting(program):\n        _first()", set()),  # which translates them
        ("raise NotImplementedError", set()),
    ],
)
def test_errors_of_private_functions_are_found_unless_they_are_caught(body: str, expected: set[str]) -> None:
    assert errors(f"{PRIVATE}\ndef called():\n    {body}\n") == expected


def test_errors_in_a_constant_tuple_are_caught() -> None:
    handled = "    try:\n        _first()\n    except _ENDINGS:\n        pass\n"
    assert errors(f"_ENDINGS = (OSError, KeyError)\n{PRIVATE}\ndef called():\n{handled}") == set()


def test_errors_of_inherited_private_methods_are_found() -> None:
    base = "class Base:\n    def _part(self):\n        raise KeyError\n\n"
    assert errors(f"{base}class Caller(Base):\n    def called(self):\n        self._part()\n") == {"KeyError"}


def test_fallbacks_for_forbidden_types_do_not_count() -> None:
    fallback = "@singledispatch\ndef _part(model):\n    raise TypeError\n\n"
    assert errors(f"{fallback}def called(model):\n    _part(model)\n") == set()


def test_functions_that_call_themselves_are_followed_once() -> None:
    assert errors("def _part():\n    _part()\n    raise KeyError\n\ndef called():\n    _part()\n") == {
        "KeyError"
    }

"""Values of CoreFoundation are read as they are, and each reference is released once."""

from typing import Any

import pytest

from client.machine.macos.core_foundation import CoreFoundation, framework
from tests.client.machine.macos.fake_frameworks import FakeCoreFoundation, Heap


@pytest.fixture
def core(heap: Heap) -> CoreFoundation:
    return CoreFoundation(FakeCoreFoundation(heap))


@pytest.mark.parametrize(
    ("made", "read"),
    [
        ("Dock", "Dock"),
        ("", ""),
        ("Télé 電視 🖥", "Télé 電視 🖥"),  # 1 to 4 bytes, of which the last takes two units of UTF-16
        ("half a \ud83d pair", None),
        (True, True),
        (False, False),
        (0, 0),
        (-2147483603, -2147483603),
        (1 << 40, 1 << 40),
        (1 << 70, None),
        (0.5, 0.5),
        ([1], None),
        ({"a": 1}, None),
        (b"an icon", None),
    ],
)
def test_a_value_is_read_by_its_type(heap: Heap, core: CoreFoundation, made: Any, read: Any) -> None:
    with core.owned(heap.make(made)) as reference:
        value = core.value(reference)
    assert (type(value), value) == (type(read), read)


def test_fields_are_those_that_are_there(heap: Heap, core: CoreFoundation) -> None:
    made = heap.make({"name": "mpv", "level": 255, "off": False, "inside": {"x": 1}, "other": 1})
    with core.owned(made) as dictionary, core.keys("name", "level", "off", "inside", "missing") as keys:
        assert core.fields(dictionary, keys) == {"name": "mpv", "level": 255, "off": False}
        inside = core.entry(dictionary, keys["inside"])
        assert core.entry(dictionary, keys["missing"]) is None
        assert [core.value(value) for value in core.values(inside)] == [1]


def test_elements_are_in_order(heap: Heap, core: CoreFoundation) -> None:
    with core.owned(heap.make(["b", 1, "a"])) as array:
        assert [core.value(item) for item in core.items(array)] == ["b", 1, "a"]
    with core.owned(heap.make([])) as array:
        assert core.items(array) == []


@pytest.mark.parametrize("other", ["text", 1, True, b"data"])
def test_what_is_no_container_has_nothing_in_it(heap: Heap, core: CoreFoundation, other: Any) -> None:
    with core.owned(heap.make(other)) as reference, core.keys("a") as keys:
        assert (core.items(reference), core.values(reference)) == ([], [])
        assert core.entry(reference, keys["a"]) is None
    assert (core.items(None), core.values(None), core.value(None)) == ([], [], None)


def test_an_error_releases_what_is_owned(heap: Heap, core: CoreFoundation) -> None:
    with pytest.raises(ValueError, match="inside"), core.owned(heap.make(["a"])), core.keys("b"):
        raise ValueError("inside")
    assert heap.living == []


def test_nothing_is_released_where_nothing_was_given(core: CoreFoundation) -> None:
    with core.owned(None) as reference:
        assert reference is None


def test_keys_that_cannot_be_made_are_an_error(heap: Heap) -> None:
    core = CoreFoundation(FakeCoreFoundation(heap, no_memory=True))
    with pytest.raises(OSError, match="no memory"), core.keys("a", "b"):
        pytest.fail("There are no keys.")


def test_a_function_that_this_macos_lacks_is_an_error(heap: Heap) -> None:
    with pytest.raises(OSError, match="no CFArrayGetCount"):
        CoreFoundation(FakeCoreFoundation(heap, lacks=["CFArrayGetCount"]))


def test_on_another_system_there_are_no_frameworks() -> None:
    with pytest.raises(OSError, match="CoreFoundation"):
        framework("CoreFoundation")


def test_the_heap_notices_each_misuse() -> None:
    heap = Heap()
    core = CoreFoundation(FakeCoreFoundation(heap))
    leaked = heap.make(["leaked"])
    with core.owned(leaked):
        assert core.items(leaked)
    assert (heap.faults, heap.living) == ([], [])
    with core.owned(leaked), core.owned(heap.make("twice")):
        core.value(leaked)
    assert [fault.split()[0] for fault in heap.faults] == ["CFGetTypeID", "CFRelease"]
    heap.make("never released")
    assert heap.living == ["never released"]

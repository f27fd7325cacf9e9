"""Sizes as users write them, and shares of what is allowed."""

import pytest

from ronmf.numerics.memory import allowed_bytes, memory_limit, read_size


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("2GiB", 2**31),
        ("2 gib", 2**31),
        ("500MB", 5 * 10**8),
        ("1.5k", 1500),
        (4096, 4096),
        ("1b", 1),
    ],
)
def test_sizes_are_read(text, size):
    assert read_size(text) == size


@pytest.mark.parametrize("text", ["", "much", "-1GiB", "0", "1 GiB free", "1e9", "nan", "2PiB"])
def test_other_texts_are_refused(text):
    with pytest.raises(ValueError, match=r"max_memory=.* is no size; give bytes, or text such as"):
        read_size(text)


def test_limits_nest_and_end():
    assert allowed_bytes(0.5, 10**30) == 10**30
    with memory_limit(1000):
        assert allowed_bytes(0.5, 10**9) == 500
        with memory_limit(None):
            assert allowed_bytes(0.5, 100) == 100
        with memory_limit(10):
            assert allowed_bytes(0.5, 100) == 5
    assert allowed_bytes(0.5, 100) == 100

"""The core shuffles long sequences with the same result and the same final state as the Python stream."""

from hornbeam import seeds


def test_the_core_shuffles_as_the_python_stream_does(monkeypatch):
    by_core, plain = seeds.Stream.of(5, 4, 1), seeds.Stream.of(5, 4, 1)
    first = by_core.shuffled(2000)
    monkeypatch.setattr(seeds, "_SHUFFLED_IN_PYTHON", 10**9)
    assert first.tolist() == plain.shuffled(2000).tolist()
    assert by_core.next() == plain.next()

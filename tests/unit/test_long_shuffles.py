"""A long shuffle by the core is the plain one, draw for draw, and leaves the stream where the plain one does."""

from hornbeam import seeds


def test_the_core_shuffles_as_the_plain_stream_does(monkeypatch):
    by_core, plain = seeds.Stream.of(5, 4, 1), seeds.Stream.of(5, 4, 1)
    first = by_core.shuffled(2000)
    monkeypatch.setattr(seeds, "_LONG", 10**9)
    assert first.tolist() == plain.shuffled(2000).tolist()
    assert by_core.next() == plain.next()

"""Growth from pieces: the tree depends neither on the pieces nor on memory, and refusals name what to use instead."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbeam.errors import OptionError
from hornbeam.growing.grow import grow
from hornbeam.growing.method import Method
from hornbeam.scale.grow import grow_binned
from hornbeam.scale.in_memory import binned_in_memory
from hornbeam.scale.rounds import LocalRounds, Sums, added, joined, piece_rows, pieces_sums
from hornbeam.table.column import nominal, numeric
from hornbeam.table.table import Table

BINNED = ("binned_cuts", "best_subset")


def table_of(n=300, *, is_number=False, seed=0, weights=False):
    rng = np.random.default_rng(seed)
    x, z = rng.normal(size=n), rng.normal(size=n).round(1)
    z[::7] = np.nan
    level = rng.integers(0, 4, n)
    score = x + np.nan_to_num(z) + level % 2
    target = numeric("y", score) if is_number else nominal("y", np.digitize(score, (-0.5, 1.0)), tuple("ABC"))
    columns = (numeric("x", x), numeric("z", z), nominal("level", level, tuple("pqrs")))
    return Table(columns, target, rng.random(n) + 0.5 if weights else None)


def same(one, other):
    ours, theirs = one.nodes.arrays(), other.nodes.arrays()
    are_equal = all(np.array_equal(values, theirs[name]) for name, values in ours.items())
    return are_equal and questions(one) == questions(other)


def questions(tree):
    return [tree.questions[row] for row in range(len(tree.questions))]


class ShuffledRounds(LocalRounds):
    """Pieces in random order, through pickled requests and without memory of earlier rounds."""

    def __init__(self, pieces, seed):
        super().__init__(pieces, remembers=False)
        self.rng = np.random.default_rng(seed)

    def _shuffled(self):
        return [self.pieces[i] for i in self.rng.permutation(len(self.pieces))]

    def statistics(self, requests):
        return [self._sums(pickle.loads(pickle.dumps(request))) for request in requests]

    def _sums(self, request):
        return added(pieces_sums([request], [(piece, [None])]) for piece in self._shuffled())[0]

    def collect(self, request):
        return joined([piece_rows(request, piece) for piece in self._shuffled()])


@settings(max_examples=15, deadline=None)
@given(
    cuts=st.lists(st.integers(0, 300), max_size=6).map(sorted),
    seed=st.integers(0, 1000),
    is_number=st.booleans(),
    weights=st.booleans(),
    missing=st.sampled_from(("skip_column", "learned", "own_branch", "surrogates", "impute")),
    memory=st.sampled_from((1, 3000, 10**5, 10**9)),
)
def test_pieces_their_order_and_memory_do_not_change_the_tree(cuts, seed, is_number, weights, missing, memory):
    table = table_of(is_number=is_number, seed=seed, weights=weights)
    method = Method(searches=BINNED, missing=missing)
    whole = grow_binned(binned_in_memory(table, bins=20), method)
    data = binned_in_memory(table, bins=20, cuts=cuts)
    cut = grow_binned(data, method, memory_limit=memory, rounds=ShuffledRounds(data.pieces, seed))
    assert same(whole, cut)
    assert whole.metadata == cut.metadata


def test_threads_do_not_change_the_tree():
    data = binned_in_memory(table_of(2000), cuts=(500, 900, 1700))
    method = Method(searches=BINNED)
    assert same(grow_binned(data, method), grow_binned(data, method, threads=3))


def test_cuts_are_between_the_largest_value_of_a_bin_and_the_smallest_of_the_next():
    table = Table((numeric("x", np.arange(100.0)),), nominal("y", np.arange(100) >= 50, tuple("AB")))
    tree = grow_binned(binned_in_memory(table, bins=4), Method(searches=BINNED))
    assert tree.question(0).cut == 49.5
    assert len(tree) == 3


@pytest.mark.parametrize("missing", ["skip_column", "learned", "own_branch"])
def test_binned_cuts_from_pieces_are_those_in_memory(missing):
    for seed in range(3):
        table = table_of(400, seed=seed)
        method = Method(searches=({"name": "binned_cuts", "bins": 16}, "best_subset"), missing=missing)
        expected = grow(table, method, engine="core")
        assert same(expected, grow_binned(binned_in_memory(table, bins=16, cuts=(100,)), method, memory_limit=5000))


def test_progress_ends_with_no_open_nodes():
    seen = []
    grow_binned(
        binned_in_memory(table_of()), Method(searches=BINNED), memory_limit=1, progress=lambda *step: seen.append(step)
    )
    assert seen[-1][1] == 0
    assert [nodes for nodes, _ in seen] == sorted(nodes for nodes, _ in seen)


@pytest.mark.parametrize(
    ("settings", "is_number", "text"),
    [
        (
            {"searches": ("sorted_cuts", "best_subset")},
            False,
            "Growing from pieces cannot use the search sorted_cuts: column 'x' has more distinct values than its "
            "20 bins. Pass searches='binned_cuts'.",
        ),
        (
            {"searches": ("binned_cuts", "best_subset", "lda_plane")},
            False,
            "Growing from pieces cannot use the search lda_plane: its directions need the values of rows. "
            "Pass searches='binned_cuts', or read the table into memory.",
        ),
        (
            {"searches": BINNED, "loss": "absolute", "criterion": "absolute_error"},
            True,
            "Growing from pieces cannot use the loss absolute: it is not a sum over rows. "
            "Pass criterion='squared_error', or loss='squared', or read the table into memory.",
        ),
        (
            {"searches": BINNED, "missing": "error"},
            False,
            "Growing from pieces cannot use the missing-value strategy error: column 'z' has missing values. "
            "Pass missing='skip_column', 'learned', 'own_branch', 'surrogates' or 'impute', or read the table into "
            "memory.",
        ),
        (
            {"searches": BINNED, "missing": "fractional"},
            False,
            "Growing from pieces cannot use the missing-value strategy fractional: column 'z' has missing values, "
            "whose rows would be in several branches. Pass missing='skip_column', 'learned', 'own_branch', "
            "'surrogates' or 'impute', or read the table into memory.",
        ),
        (
            {"searches": BINNED, "missing": {"name": "impute", "method": "median", "scope": "node"}},
            False,
            "Growing from pieces cannot use imputed values of each node: they need the values of its rows. "
            "Pass scope='global' to impute, or read the table into memory.",
        ),
        (
            {"searches": BINNED, "stops": ("pure", "same_vectors")},
            False,
            "Growing from pieces cannot use the stop same_vectors: it compares single rows. "
            "Remove it, or read the table into memory.",
        ),
        (
            {"searches": ("binned_cuts", "lookahead")},
            False,
            "Growing from pieces cannot use the search lookahead: it needs the values of rows. "
            "Pass searches='binned_cuts', or read the table into memory.",
        ),
    ],
)
def test_what_is_not_a_sum_is_refused_with_what_to_use_instead(settings, is_number, text):
    with pytest.raises(OptionError) as caught:
        grow_binned(binned_in_memory(table_of(is_number=is_number), bins=20), Method(**settings))
    assert str(caught.value) == text


@pytest.mark.parametrize(
    ("cells", "n_bytes"),
    [
        ([0, 255], 1),
        ([-1, 200], 4),
        ([-(2**40), 3], 8),
        ([-(2**55) - 1, 2**60 + 1], 8),
        ([70_000], 4),
        ([], 1),
        ([*range(99), 2**60 + 1], 1.2),
    ],
)
def test_sums_travel_in_as_many_bytes_as_nearly_all_need(cells, n_bytes):
    numbers = np.array(cells * 1000, dtype=np.int64)
    sums = Sums(numbers, np.array([1, 2]), np.zeros(1), np.ones(1))
    content = pickle.dumps(sums, protocol=5)
    found = pickle.loads(content)
    assert found.cells.dtype == np.int64
    assert found.cells.tolist() == numbers.tolist()
    assert found.totals.tolist() == [1, 2]
    assert len(content) < 1500 + n_bytes * len(numbers)

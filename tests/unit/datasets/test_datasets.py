"""The built-in data sets have the documented rows, sources and licenses."""

import subprocess
import sys

import numpy as np
import pytest

from hornbeam import datasets
from hornbeam.datasets import make_prostate
from hornbeam.errors import OptionError
from hornbeam.table.column import Kind

# rows, predictors, missing cells, class counts in the order of the levels; from the sources named in the catalogue
KNOWN = {
    "play_tennis": (14, 4, 0, [5, 9]),
    "fruit": (14, 2, 0, [4, 2, 4, 2, 2]),
    "contact_lenses": (24, 4, 0, [5, 4, 15]),
    "iris": (150, 4, 0, [50, 50, 50]),
    "penguins": (344, 7, 19, [152, 68, 124]),
    "breast_cancer": (569, 30, 0, [212, 357]),
    "prostate": (400, 5, 53, [235, 165]),
}


def test_all_documented_names_exist():
    assert set(datasets.names()) == set(KNOWN)


@pytest.mark.parametrize("name", KNOWN)
def test_each_set_has_its_rows_and_classes(name):
    table = datasets.load(name)
    n_rows, n_predictors, n_missing, counts = KNOWN[name]
    assert (len(table), len(table.columns)) == (n_rows, n_predictors)
    assert sum(int(column.is_missing.sum()) for column in table.columns) == n_missing
    assert np.bincount(table.target.values, minlength=len(table.target.levels)).tolist() == counts
    assert table.target.name == datasets.about(name).target


@pytest.mark.parametrize("name", KNOWN)
def test_each_set_has_a_description(name):
    known = datasets.about(name)
    assert known.title
    assert known.description
    assert known.source
    assert known.license
    assert "GPL" not in known.license


@pytest.mark.parametrize("name", ["iris", "breast_cancer"])
def test_values_are_those_of_scikit_learn(name):
    from sklearn.datasets import load_breast_cancer, load_iris

    theirs = {"iris": load_iris, "breast_cancer": load_breast_cancer}[name]()
    ours = datasets.load(name)
    assert np.array_equal(np.column_stack([column.values for column in ours.columns]), theirs.data)
    assert np.array_equal(ours.target.values, theirs.target)
    assert list(ours.target.levels) == list(theirs.target_names)


def test_the_notes_fruit_is_in_the_fruit_set():
    table = datasets.load("fruit")
    red = table["colour"].values == table["colour"].levels.index("red")
    small = table["size"].values <= 5
    grape = table.target.levels.index("grape")
    assert set(table.target.values[red & small]) == {grape}
    assert grape not in table.target.values[red & ~small]
    # the largest small and the smallest large red fruit are 1 cm either side of the question "size > 5 cm?"
    sizes = table["size"].values[red]
    assert (sizes[sizes <= 5].max() + sizes[sizes > 5].min()) / 2 == 5


def test_gains_of_play_tennis_are_those_of_the_notes():
    # lecture note 4: Outlook 0.246, Humidity 0.151, Wind 0.048, Temperature 0.029 (cut, not rounded)
    table = datasets.load("play_tennis")

    def entropy(labels):
        probabilities = np.bincount(labels) / len(labels)
        return -sum(share * np.log2(share) for share in probabilities if share > 0)

    y = table.target.values
    for name, gain in {"Outlook": 0.246, "Humidity": 0.151, "Wind": 0.048, "Temperature": 0.029}.items():
        codes = table[name].values
        after = sum((codes == code).mean() * entropy(y[codes == code]) for code in set(codes))
        assert entropy(y) - after == pytest.approx(gain, abs=1e-3)


def test_the_prostate_file_is_the_output_of_its_script():
    assert make_prostate.FILE.read_bytes() == make_prostate.text().encode()


def test_the_prostate_set_is_marked_synthetic_and_plausible():
    table = datasets.load("prostate")
    assert datasets.about("prostate").is_synthetic
    assert "synthetic" in table.notes[0]
    assert table.names == ("PSA", "lesion", "PSA density", "volume", "age")
    has_cancer = table.target.values == table.target.levels.index("cancer")
    for name in ("PSA", "PSA density", "age"):
        values = table[name].values
        assert np.nanmedian(values[has_cancer]) > np.nanmedian(values[~has_cancer])
    volume, psa, density = table["volume"].values, table["PSA"].values, table["PSA density"].values
    is_known = ~np.isnan(volume)
    assert np.allclose(psa[is_known] / volume[is_known], density[is_known], atol=0.0051)


def test_kinds_are_declared():
    table = datasets.load("penguins")
    assert table["sex"].kind is Kind.NOMINAL
    assert table["sex"].levels == ("female", "male")
    assert table["body_mass_g"].kind is Kind.NUMERIC
    assert table["body_mass_g"].why


def test_a_misspelled_name_is_an_error_with_the_nearest():
    with pytest.raises(OptionError, match="Did you mean 'penguins'"):
        datasets.load("pinguins")


def test_loading_requires_numpy_only():
    code = "import sys; from hornbeam import datasets; datasets.load('breast_cancer'); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"duckdb", "pandas", "sklearn", "scipy", "narwhals"} & set(loaded)

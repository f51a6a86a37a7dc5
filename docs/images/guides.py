"""Creates the figures of docs/guides with the library itself.

python docs/images/guides.py
"""

from pathlib import Path

import numpy as np

import hornbeam as hb
from hornbeam.drawing.axes import Axes, finish_plot, legend
from hornbeam.drawing.colors import THEMES, class_color
from hornbeam.parts.criteria import criteria
from hornbeam.parts.losses import losses

HERE = Path(__file__).parent / "guides"
LIGHT = THEMES["light"]
THICK = {"stroke_width": 2.2, "stroke_linejoin": "round"}


def save(picture, name):
    """Write one figure."""
    picture.save(HERE / f"{name}.svg")


def curves(name, title, across, lines, x_label, y_label, up=None, dots=()):
    """Lines over one variable: `lines` are (label, ys); dots are drawn below them."""
    known = np.concatenate([np.asarray(ys, dtype=float) for _, ys in lines])
    span = up or (0.0, float(known.max()) * 1.08)
    axes = Axes((float(across[0]), float(across[-1])), span, 460.0, 280.0, LIGHT)
    points = [axes.dot(x, y, 2.0, fill=LIGHT.quiet, fill_opacity=0.45) for x, y in dots]
    drawn = [axes.curve(across, ys, stroke=class_color(k, LIGHT), **THICK) for k, (_, ys) in enumerate(lines)]
    key = legend(axes, [(class_color(k, LIGHT), label) for k, (label, _) in enumerate(lines)])
    save(finish_plot(axes, title, axes.frame(x_label, y_label), *points, *drawn, key), name)


def purity():
    """The impurities of two classes."""
    probability = np.linspace(0, 1, 201)
    stats = np.column_stack([probability, 1 - probability])
    names = ("entropy", "gini", "misclassification", "two_class_variance")
    lines = [(name, criteria.part(name).impurity(stats)) for name in names]
    curves("purity", "", probability, lines, "probability of the first class", "impurity")


def predictions():
    """The mean loss of every prediction of a leaf."""
    targets = np.array([1.0, 2.0, 3.0, 6.0, 12.0])
    levels, weight = np.unique(targets, return_counts=True)
    numbers = np.linspace(0, 13, 261)
    mean = [((targets - prediction) ** 2).mean() / 10 for prediction in numbers]
    rest = []
    for label, part in (
        ("absolute", losses.part("absolute")),
        ("pinball 0.7", losses.part({"name": "pinball", "tau": 0.7})),
    ):
        losses_of = [float(part.mean_loss(weight.astype(float), prediction, levels)) for prediction in numbers]
        rest.append((label, losses_of))
    lines = [("squared / 10", mean), *rest]
    curves("mean-loss", "", numbers, lines, "prediction of the leaf", "mean loss", dots=[(y, 0.15) for y in targets])


def wave(rows=200, seed=0):
    """A noisy curve over one column."""
    rng = np.random.default_rng(seed)
    x = np.sort(rng.uniform(0, 10, rows))
    return hb.read({"x": x, "y": np.sin(x) + 0.3 * x / 10 + rng.normal(0, 0.25, rows)}, target="y")


def fits(name, models, title=""):
    """Predictions of models with one column, over their training rows."""
    table = wave()
    grid = np.linspace(0, 10, 801)
    rows = hb.read({"x": grid})
    lines = [(label, hb.predict(grow(table), rows).numbers) for label, grow in models]
    dots = list(zip(table.columns[0].values, table.target.values, strict=True))
    curves(name, title, grid, lines, "x", "y", up=(-1.8, 2.0), dots=dots)


def regression():
    """A regression tree is a step function."""
    pruned = hb.recipe("regression").with_changes(pruning="cost_complexity")
    grown = hb.recipe("plain")
    fits("regression", [("unpruned", lambda t: hb.grow(t, grown)), ("pruned", lambda t: hb.grow(t, pruned))])


def forest():
    """One tree and the mean of a hundred."""
    full = [
        ("one tree", lambda t: hb.grow(t, "plain")),
        ("100 bagged trees", lambda t: hb.bag(t, "plain", n_trees=100)),
    ]
    fits("forest", full)


def boosting():
    """Predictions after 1, 10 and 100 rounds."""
    fits(
        "boosting",
        [
            (f"{n} rounds", lambda t, n=n: hb.boost(t, n_rounds=n, max_leaves=4, learning_rate=0.2, min_rows=5))
            for n in (1, 10, 100)
        ],
    )


def orders():
    """The error of a tree with a given number of leaves, by the order of growth."""
    table = hb.datasets.load("breast_cancer")
    sizes = np.arange(2, 15)
    lines = []
    for order in ("best_first", "level_wise", "depth_first"):
        errors = []
        for size in sizes:
            recipe = hb.recipe("plain").with_changes(order=order, stops=[{"name": "max_leaves", "leaves": int(size)}])
            tree = hb.grow(table, recipe)
            errors.append(100 * np.mean(hb.predict(tree, table).codes != table.target.values))
        lines.append((order, errors))
    curves("orders", "", sizes, lines, "leaves", "training errors, %")


def trees():
    """Drawings of trees."""
    tennis, iris = hb.datasets.load("play_tennis"), hb.datasets.load("iris")
    prostate, penguins = hb.datasets.load("prostate"), hb.datasets.load("penguins")
    save(hb.draw(hb.grow(penguins), penguins, title="Which penguin?"), "penguins")
    save(hb.draw(hb.grow(tennis, "id3"), tennis, preset="lecture", title="ID3"), "id3")
    small = hb.recipe("cart").with_changes(stops=[{"name": "max_depth", "depth": 2}], pruning=None)
    for preset in ("plain", "clinic", "compact"):
        save(hb.draw(hb.grow(prostate, small), prostate, preset=preset, title=preset), f"preset-{preset}")
    save(hb.drawing.regions(hb.grow(iris, small), iris, title="Regions"), "regions")


def explained():
    """Contributions of one row, the trees of the weakest-link sequence, a hierarchy of classes."""
    prostate, iris = hb.datasets.load("prostate"), hb.datasets.load("iris")
    tree = hb.grow(prostate)
    save(hb.drawing.contributions(tree, prostate, 5), "contributions")
    save(hb.drawing.complexity(hb.complexity_table(prostate, "cart")), "complexity")
    X = np.column_stack([column.values for column in iris.columns])
    labels = np.array(iris.target.levels)[iris.target.values]
    save(
        hb.drawing.draw_nested_dichotomy(hb.estimators.NestedDichotomyClassifier().fit(X, labels).class_tree_),
        "classes",
    )


def evaluated():
    """ROC and calibration on test rows."""
    table = hb.datasets.load("prostate")
    rows = np.arange(table.n_rows)
    tree = hb.grow(table.take(rows % 3 != 0), "cart")
    test = table.take(rows % 3 == 0)
    scores = hb.evaluate(
        test.target.values, hb.predict(tree, test).probabilities, test.target.levels, positive="cancer"
    )
    save(hb.drawing.roc(scores), "roc")
    save(hb.drawing.calibration(scores), "calibration")


if __name__ == "__main__":
    HERE.mkdir(exist_ok=True)
    for create in (purity, predictions, regression, forest, boosting, orders, trees, explained, evaluated):
        create()

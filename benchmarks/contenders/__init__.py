"""All benchmarked libraries by name; hornbeam first, then scikit-learn (the reference of the ratios)."""

from benchmarks.contenders import (
    explained,
    intelex,
    light_gbm,
    onnx_runtime,
    ours,
    ranger,
    scikit_learn,
    snap_ml,
    xg_boost,
    ydf_trees,
)
from benchmarks.contenders.base import Contender

MODULES = (
    ours, scikit_learn, snap_ml, ydf_trees, xg_boost, light_gbm, intelex, ranger, onnx_runtime, explained,
)  # fmt: skip
CONTENDERS: dict[str, type[Contender]] = {
    contender.name: contender for module in MODULES for contender in module.CONTENDERS
}
REFERENCES = {
    "oblique": "hornbeam axis",
    "level_sets": "hornbeam ordered",
    "intervals": "hornbeam axis",
    "exact": "scikit-learn",
    "small": "scikit-learn",
    "categories": "scikit-learn",
    "binned": "scikit-learn",
}
REFERENCES |= {"prune": "scikit-learn pruned", "shap": "shap TreeExplainer"}
REFERENCES |= {
    "forest": "scikit-learn forest",
    "extra_trees": "scikit-learn extra trees",
    "boosting": "scikit-learn HGB",
}

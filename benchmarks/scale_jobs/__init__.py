"""Jobs of the scale benchmark: each runs in a process of its own and prints its figures as JSON.

    python -m benchmarks.scale_jobs NAME FOLDER     with the interpreter that has the library

A job reads the Parquet files of FOLDER, prepares them, grows one tree of depth 8 and some boosted trees, with one
thread and 255 or 256 bins. Figures are seconds of processor time of the process and its children.
"""

from __future__ import annotations

DEPTH = 8
BINS = 255
BOOSTED = 4  # trees of which the mean is reported
JOBS = {
    "hornbeam": "ours",
    "hornbeam in memory": "ours",
    "hornbeam, Dask, 1 worker": "on_cluster",
    "hornbeam, Dask, 2 workers": "on_cluster",
    "hornbeam, Dask, 1 worker, two at once": "on_cluster",
    "XGBoost external memory": "xg_boost",
    "xgboost.dask": "xg_boost",
    "LightGBM Sequence": "light_gbm",
    "lightgbm.dask": "light_gbm",
    "YDF distributed": "ydf_distributed",
}
OURS = [name for name, module in JOBS.items() if module in ("ours", "on_cluster")]

"""Writes the recorded models of other programs and their predictions: python tests/importing/record.py

They let the tests run without these programs, and are what the fuzz test damages. The rows are those of `rows.table`.
"""

from __future__ import annotations

import json
from pathlib import Path

import lightgbm
import numpy as np
import pandas as pd
import xgboost

from importing.rows import table

HERE = Path(__file__).parents[1] / "data" / "importing"


def main() -> None:
    rows = table()[:120]
    random = np.random.default_rng(7)
    frame = pd.DataFrame(rows[:, :3], columns=["age", "dose", "size"])
    frame["city"] = pd.Categorical(random.choice(["Bern", "Rome", "Oslo", "Nice"], len(frame)))
    frame.loc[::11, "city"] = np.nan
    y = (frame.age.fillna(0) > 0).astype(int) ^ frame.city.isin(["Bern", "Oslo"]).astype(int)
    light = lightgbm.LGBMClassifier(
        n_estimators=3, num_leaves=5, min_child_samples=4, min_data_per_group=2, cat_smooth=1, verbose=-1
    ).fit(frame, y)
    light.booster_.save_model(HERE / "lightgbm.txt")
    boosted = xgboost.XGBClassifier(n_estimators=3, max_depth=3, enable_categorical=True, max_cat_to_onehot=1)
    boosted.fit(frame, y)
    for name in ("xgboost.json", "xgboost.ubj"):
        boosted.save_model(HERE / name)
    expected = {
        "rows": json.loads(frame.to_json(orient="split", double_precision=15))["data"],
        "columns": list(frame.columns),
        "lightgbm": light.predict_proba(frame)[:, 1].tolist(),
        "xgboost": boosted.predict_proba(frame)[:, 1].astype(float).tolist(),
    }
    (HERE / "expected.json").write_text(json.dumps(expected))


if __name__ == "__main__":
    main()

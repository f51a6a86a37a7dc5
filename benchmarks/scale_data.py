"""Tables for the benchmarks of growth from files: any number of rows, 20 columns, two classes, as Parquet.

x0 .. x15   float32; x1 and x2 with 10 % missing values, x3 with a heavy tail
k0, k1      integers with 12 and 100 values
c0, c1      texts with 50 and 5,000 levels
y           0 or 1
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

FLOATS = [f"x{position}" for position in range(16)]
INTEGERS = ["k0", "k1"]
TEXTS = ["c0", "c1"]
COLUMNS = [*FLOATS, *INTEGERS, *TEXTS]
N_LEVELS = {"c0": 50, "c1": 5000}
GROUP_ROWS = 500_000
FILE_ROWS = 5_000_000


def batch(n_rows: int, seed: int):
    """Some rows as an Arrow table."""
    import pyarrow as pa

    random = np.random.default_rng([seed, 23])
    x = random.standard_normal((16, n_rows), dtype=np.float32)
    x[3] = np.exp(2 * x[3])
    for position in (1, 2):
        x[position][random.random(n_rows, dtype=np.float32) < 0.1] = np.nan
    integers = {"k0": random.integers(0, 12, n_rows, dtype=np.int32)}
    integers["k1"] = np.minimum(random.geometric(0.05, n_rows), 100).astype(np.int32)
    codes = {name: (n * random.random(n_rows) ** 2).astype(np.int32) for name, n in N_LEVELS.items()}
    score = x[0] + 0.5 * np.nan_to_num(x[1]) + 0.3 * np.log1p(x[3]) * (integers["k0"] > 5)
    score += 0.02 * (codes["c0"] % 17) + 0.3 * (codes["c1"] % 3) + random.standard_normal(n_rows, dtype=np.float32)
    columns = {name: pa.array(x[position], from_pandas=True) for position, name in enumerate(FLOATS)}
    columns |= {name: pa.array(values) for name, values in integers.items()}
    for name, values in codes.items():
        levels = pa.array([f"{name}-{level:04d}" for level in range(N_LEVELS[name])])
        columns[name] = pa.DictionaryArray.from_arrays(values, levels).cast(pa.string())
    columns["y"] = pa.array((score > 0.9).astype(np.int8))
    return pa.table(columns)


def write(folder: Path, n_rows: int) -> list[Path]:
    """Write the files of a table; files that exist are kept. Returns their paths."""
    import pyarrow.parquet as pq

    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for number, start in enumerate(range(0, n_rows, FILE_ROWS)):
        rows = min(FILE_ROWS, n_rows - start)
        path = folder / f"rows-{rows}-{number:03d}.parquet"
        paths.append(path)
        if path.exists():
            continue
        partial = path.with_suffix(".partial")
        first = batch(min(GROUP_ROWS, rows), start)
        with pq.ParquetWriter(partial, first.schema, compression="snappy") as writer:
            writer.write_table(first)
            for at in range(GROUP_ROWS, rows, GROUP_ROWS):
                writer.write_table(batch(min(GROUP_ROWS, rows - at), start + at))
        partial.rename(path)
    return paths

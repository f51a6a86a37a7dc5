"""What goes wrong on a Dask cluster is an error that names the place, within a deadline; nothing is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import numpy as np
import pytest
from tests.unit.scale.cluster_data import frame_of, left_behind, rows_of, write

import hornbeam as hb
from hornbeam.errors import ClusterError, DataFileError, InputError, OptionError, OutputError
from hornbeam.scale import Dataset, checkpoint, worker_bins
from hornbeam.tree.file.files import to_bytes

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")
frames = pytest.importorskip("dask.dataframe")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore"),  # of the libraries of the cluster
    pytest.mark.skipif(os.name != "posix", reason="workers are killed by signals"),
]


# What cannot go on is an error.


def test_a_file_that_changes_is_an_error_that_names_it(clean, tmp_path):
    dataset = write(tmp_path / "data", 4)

    def replace(text):
        if "pass 1: 3,000" in text:
            pq.write_table(rows_of(750, seed=9), tmp_path / "data" / "02.parquet")

    with pytest.raises(DataFileError, match=r"02\.parquet' has changed since it was first read"):
        hb.grow(dataset, client=clean, progress=replace)


def random_rows(frame, partition_info=None):
    """Other values in the third partition whenever it is computed."""
    if partition_info and partition_info["number"] == 2:
        frame = frame.assign(x=np.random.default_rng().normal(size=len(frame)))
    return frame


def test_a_partition_that_is_not_repeatable_is_an_error_that_names_it(clean):
    frame = frame_of(4).map_partitions(random_rows, meta=frame_of(4)._meta)
    with pytest.raises(InputError, match="Partition 2 of the Dask DataFrame has changed since it was first computed"):
        hb.grow(frame, target="y", client=clean)


class Poison(distributed.WorkerPlugin):
    """Ends the process of a worker that reads a file of this name."""

    def __init__(self, name):
        self.name = name

    def setup(self, worker):
        from hornbeam.scale.sources.parquet import ParquetPiece

        batches, name = ParquetPiece.batches, self.name

        def poisoned(piece, names, n_rows):
            if piece.path.endswith(name):
                os._exit(9)
            return batches(piece, names, n_rows)

        ParquetPiece.batches = poisoned


def test_a_piece_that_kills_every_worker_is_an_error_that_names_it(clean, tmp_path):
    dataset = write(tmp_path / "data", 3)
    os.rename(tmp_path / "data" / "01.parquet", tmp_path / "data" / "poison.parquet")
    clean.register_plugin(Poison("poison.parquet"), name="poison")
    try:
        with pytest.raises(ClusterError, match=r"poison\.parquet' was being processed when 3 workers died"):
            hb.grow(dataset, client=clean)
    finally:
        clean.unregister_worker_plugin("poison")


def fail(frame):
    raise RuntimeError("no more coffee")


def test_an_error_of_the_graph_of_a_frame_names_the_partition(clean):
    frame = frame_of(2).map_partitions(fail, meta=frame_of(2)._meta)
    with pytest.raises(InputError, match=r"Partition \d of the Dask DataFrame could not be .*RuntimeError: no more"):
        hb.grow(frame, target="y", client=clean)


def test_partitions_with_other_types_or_no_rows_are_errors(clean):
    frame = frame_of(3)
    assert hb.grow(frame[frame.few >= 0], "plain", target="y").n_leaves > 2
    with pytest.raises(InputError, match="The Dask DataFrame has no rows"):
        hb.grow(frame[frame.few > 1000], target="y")
    mixed = frame.map_partitions(
        lambda part, partition_info=None: part.assign(
            few=part.few if partition_info and partition_info["number"] else part.few.astype(str)
        ),
        meta=frame._meta,
    )
    with pytest.raises(InputError, match=r"Column 'few' is text in partition 0 .* and numeric in partition 1"):
        hb.grow(mixed, target="y")
    with pytest.raises(InputError, match=r"Unknown column 'q'"):
        hb.grow(frame, target="q")


def test_empty_partitions_are_allowed(clean):
    frame = frame_of(5, ("x", "few", "color", "y"))
    some = frame[(frame.few >= 0) & (frame.x < 10)]
    empty = frames.concat([some, frame[frame.few > 1000], frame], interleave_partitions=False)
    twice = pa.concat_tables([rows_of(), rows_of()]).select(["x", "few", "color", "y"]).to_pandas()
    expected = hb.grow(frames.from_pandas(twice, npartitions=2, sort=False), "plain", target="y")
    assert to_bytes(hb.grow(empty, "plain", target="y")) == to_bytes(expected)


def keep_free(n_bytes):
    """The bytes of the disk that a worker does not use."""
    worker_bins._SPARE = n_bytes


def test_a_full_disk_of_a_worker_is_an_error_with_the_bytes_needed(clean, tmp_path):
    clean.run(keep_free, 1 << 62)
    try:
        with pytest.raises(OutputError, match=r"its bins require .* of disk in .* of a worker: .* are free") as caught:
            hb.grow(write(tmp_path / "data", 2), client=clean)
        assert caught.value.details["needed"] > 0
    finally:
        clean.run(keep_free, 1 << 20)


def test_bins_travel_as_their_bytes_and_are_removed_with_the_object(tmp_path, monkeypatch):
    import pickle

    from hornbeam.scale.prepare import prepared

    monkeypatch.setattr(worker_bins, "worker_folder", lambda: str(tmp_path))
    with prepared(write(tmp_path / "data", 2), memory_limit=10**8) as files:
        coding = worker_bins.Coding(files.roles, files.plan, 500, "key")
        own = files.data.pieces[1]
        places = (worker_bins.Place(0, 0), worker_bins.Place(own.n_rows, own.first_row))
        bins = worker_bins.code_piece(files.source.pieces[1], coding, places, 1)
        received = pickle.loads(pickle.dumps(bins, protocol=5))
        assert received.path != bins.path
        for column in range(3):
            assert received.codes(column).tolist() == bins.codes(column).tolist() == own.codes(column).tolist()
        assert received.weights.tolist() == own.weights.tolist()
        paths = [bins.path, received.path]
        del bins, received
        assert not any(map(os.path.exists, paths))


def test_without_workers_or_results_the_wait_ends_at_its_deadline(tmp_path):
    settings = {"processes": False, "dashboard_address": "127.0.0.1:0", "silence_logs": 50}
    with (
        distributed.LocalCluster(n_workers=0, **settings) as local,
        distributed.Client(local, set_as_default=False) as other,
        dask.config.set({"hornbeam.deadline": "1s"}),
        pytest.raises(ClusterError, match=r"The cluster has no workers for 1 s"),
    ):
        hb.grow(write(tmp_path / "data", 2), client=other)


def test_a_lost_scheduler_is_an_error_and_the_growth_continues_elsewhere(clean, tmp_path, expected, monkeypatch):
    monkeypatch.setattr(checkpoint, "_PAUSE", 0.0)
    dataset = write(tmp_path / "data", 4)
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0"]
    path = tmp_path / "scheduler.json"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    scheduler = subprocess.Popen([*command, "--no-dashboard", "--scheduler-file", str(path)], **quiet)
    command = [sys.executable, "-m", "distributed.cli.dask_worker", "--scheduler-file", str(path), "--no-dashboard"]
    worker = subprocess.Popen([*command, "--no-nanny", "--nthreads", "1", "--local-directory", str(tmp_path)], **quiet)
    try:
        with distributed.Client(scheduler_file=str(path), set_as_default=False, timeout=120) as other:
            other.wait_for_workers(1, timeout=120)

            def end(text):
                if "nodes grown" in text:
                    scheduler.kill()

            with pytest.raises(ClusterError, match="The connection to the scheduler of the cluster is lost"):
                hb.grow(dataset, client=other, progress=end, resume=tmp_path / "growth")
    finally:
        for process in (worker, scheduler):
            process.kill()
            process.wait()
    lines = []
    again = hb.grow(dataset, client=clean, resume=tmp_path / "growth", progress=lines.append)
    assert to_bytes(again) == expected
    assert lines[0] == "the first pass is complete already"


def test_cancelled_futures_are_a_lost_scheduler():
    from concurrent.futures import CancelledError

    from hornbeam.scale.cluster import _connection

    with pytest.raises(ClusterError, match="is lost: 4 futures cancelled"), _connection():
        raise CancelledError("4 futures cancelled:\nkey-1")


# Checkpoints.


class Interrupted(Exception):
    """Raised by a progress function."""


@pytest.mark.parametrize("n_lines", [1, 3])
def test_a_growth_on_a_cluster_continues_on_one_machine_and_back(clean, tmp_path, expected, monkeypatch, n_lines):
    monkeypatch.setattr(checkpoint, "_PAUSE", 0.0)
    dataset = write(tmp_path / "data", 4)

    def stop(text):
        seen.append(text)
        if sum("nodes grown" in line for line in seen) == n_lines:
            raise Interrupted

    for first, second in (({"client": clean}, {"memory": "100MB"}), ({"memory": "100MB"}, {"client": clean})):
        seen = []
        with pytest.raises(Interrupted):
            hb.grow(dataset, **first, progress=stop, resume=tmp_path / "growth")
        assert to_bytes(hb.grow(dataset, **second, resume=tmp_path / "growth")) == expected


def test_a_growth_from_a_frame_continues_and_another_frame_is_refused(clean, tmp_path, expected, monkeypatch):
    monkeypatch.setattr(checkpoint, "_PAUSE", 0.0)

    def stop(text):
        if "nodes grown" in text:
            raise Interrupted

    path = tmp_path / "growth"
    with pytest.raises(Interrupted):
        hb.grow(Dataset(frame_of(4), "y", weights="w"), progress=stop, resume=path)
    other = frame_of(4).assign(few=lambda part: part.few + 1)
    with pytest.raises(OptionError, match="is of other data"):
        hb.grow(Dataset(other, "y", weights="w"), resume=path)
    assert to_bytes(hb.grow(Dataset(frame_of(4), "y", weights="w"), resume=path)) == expected


# Ctrl-C.

CHILD = """
import sys
import distributed
import hornbeam as hb
from hornbeam.scale import Dataset

def line(text):
    print(text, flush=True)
    if "nodes grown" in text:
        sys.stdin.read(1)

if __name__ == "__main__":
    with distributed.Client(sys.argv[1], timeout=120) as client:
        try:
            hb.grow(Dataset(sys.argv[2], "y", weights="w"), client=client, progress=line)
        except KeyboardInterrupt:
            print("interrupted", flush=True)
"""


def test_ctrl_c_cancels_the_tasks_and_removes_the_bins(clean, tmp_path):
    write(tmp_path / "data", 4)
    arguments = [clean.scheduler.address, str(tmp_path / "data" / "*.parquet")]
    with subprocess.Popen(
        [sys.executable, "-c", CHILD, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        for text in child.stdout:
            if "nodes grown" in text:
                break
        assert left_behind(clean)
        child.send_signal(signal.SIGINT)
        assert "interrupted" in child.stdout.read()
        assert child.wait(timeout=120) == 0
    assert left_behind(clean) == []
    assert not any(clean.processing().values())

"""Paths, compression and encodings: what is accepted, and the errors."""

import gzip
import os

import pytest

from hornbeam.errors import DataFileError, MemoryLimitError
from hornbeam.table.readers import arff, compressed, csv, files


def test_gzip_is_known_by_its_bytes_and_not_by_its_name(tmp_path):
    packed = gzip.compress(b"a,b\n1,2\n")
    for name in ("data.csv.gz", "data.csv"):
        (tmp_path / name).write_bytes(packed)
        assert csv.raw(tmp_path / name).names == ("a", "b")


def test_a_damaged_gzip_file_is_an_error(tmp_path):
    packed = gzip.compress(b"a,b\n" + b"1,2\n" * 1000)
    for bad in (packed[:-20], packed[:15] + b"\xff" * 20 + packed[35:]):
        (tmp_path / "data.csv.gz").write_bytes(bad)
        with pytest.raises(DataFileError, match="bad gzip data"):
            csv.raw(tmp_path / "data.csv.gz")


def test_a_bomb_is_not_decompressed(tmp_path, monkeypatch):
    monkeypatch.setattr(compressed, "_UNLIMITED_BYTES", 1 << 20)
    (tmp_path / "data.csv.gz").write_bytes(gzip.compress(b"a\n" + b"1\n" * (4 << 20)))
    with pytest.raises(DataFileError, match="bytes of gzip decompress to more than"):
        csv.raw(tmp_path / "data.csv.gz")


def test_a_file_beyond_memory_is_an_error_with_the_estimate(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "MEMORY_PER_BYTE", 1e15)
    (tmp_path / "data.csv").write_text("a,b\n1,2\n")
    with pytest.raises(MemoryLimitError, match=r"data\.csv.* requires"):
        csv.raw(tmp_path / "data.csv")


def test_temporary_files_are_gone_afterwards(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    source = tmp_path / "data.csv"
    source.write_bytes("a,b\nü,2\n".encode("utf-16"))
    csv.raw(source)
    source.write_bytes(b"a,b\r1,2\n3\n")
    with pytest.raises(DataFileError):
        csv.raw(source)
    assert os.listdir(tmp_path) == ["data.csv"]


def test_undecodable_text_is_an_error_with_line_and_offset(tmp_path):
    path = tmp_path / "data.arff"
    path.write_bytes(b"@relation r\n% \xff\n")
    with pytest.raises(DataFileError, match=r"line 2: byte 14 \(0xff\) is not utf-8"):
        arff.raw(path)
    path.write_bytes(b"@relation r\n" + b"%" * 2000 + b"\n\x00")
    with pytest.raises(DataFileError, match=r"line 3: byte|line 3: the text contains a NUL byte"):
        arff.raw(path)

"""Battery A6, items 206 to 215: a truncated, foreign or damaged model file, or one of another version, is rejected."""

import json
import pickle
import struct

import numpy as np
import pytest
from tests.unit.tree.damaged_files import MIXED, rehashed, repacked, stump
from tests.unit.tree.example_trees import mixed_columns

from hornbeam.errors import HornbeamError, ModelFileError
from hornbeam.tree import walk
from hornbeam.tree.file import container, files

# 206 to 209: truncated, foreign, damaged


@pytest.mark.parametrize("data", [b"", b"\x89", container.MAGIC], ids=["empty", "one byte", "magic only"])
def test_206_a_file_with_nearly_nothing_in_it_is_cut_short(data):
    with pytest.raises(ModelFileError, match="truncated"):
        files.from_bytes(data)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (pickle.dumps({"a": 1}), "pickle, which is never loaded"),
        (b'{"learner": {}}', "JSON"),
        (b"{L\x00\x00\x00", "XGBoost"),
        (b"\x08\x08\x12\x07skl2onnx", "ONNX"),
        (b"PK\x03\x04....", "zip"),
        (b"\x1f\x8b\x08....", "gzip"),
        (b"\x89PNG\r\n\x1a\n...", "PNG"),
        (MIXED.replace(b"\r\n", b"\n"), "copied as text"),
    ],
)
def test_207_a_foreign_file_is_called_by_its_name(data, words):
    with pytest.raises(ModelFileError, match=words):
        files.from_bytes(data)


def test_208_a_file_cut_at_any_byte_is_refused():
    data = files.to_bytes(stump())
    for length in range(len(data)):
        with pytest.raises(ModelFileError):
            files.from_bytes(data[:length])


def test_209_a_file_with_any_one_bit_flipped_is_refused():
    data = files.to_bytes(stump())
    for place in range(len(data)):
        for bit in range(8):
            wrong = bytearray(data)
            wrong[place] ^= 1 << bit
            with pytest.raises(ModelFileError):
                files.from_bytes(bytes(wrong))


def test_210_correct_hashes_over_random_changes_are_never_a_crash():
    # 3,000 files with some bytes changed and the hash made right again: each one is refused, or is sound and walks.
    rng = np.random.default_rng(5)
    base = np.frombuffer(MIXED[:-32], dtype=np.uint8)
    columns = mixed_columns(5)
    accepted = 0
    for _ in range(3_000):
        body = base.copy()
        places = rng.integers(24, len(body), rng.integers(1, 4))
        body[places] = rng.integers(0, 256, len(places))
        try:
            tree = files.from_bytes(rehashed(body.tobytes()))
        except HornbeamError:
            continue
        accepted += 1
        walk.leaves(tree, columns)
    assert accepted < 3_000  # some bytes are free: a gain, the digits of a number


# 211 to 215: versions, sections, sizes


@pytest.mark.parametrize(
    ("major", "words"),
    [(99, "format 99.1; this hornbeam reads up to 1.1. Upgrade"), (0, "format 0"), (2**32 - 1, "Upgrade")],
)
def test_211_212_an_unknown_version_is_refused(major, words):
    body = bytearray(MIXED[:-32])
    struct.pack_into("<I", body, 8, major)
    with pytest.raises(ModelFileError, match=words):
        files.from_bytes(rehashed(bytes(body)))


def test_213_an_unknown_array_is_refused_by_name_unless_it_is_optional():
    with pytest.raises(ModelFileError, match=r"'nodes\.extra'"):
        files.from_bytes(repacked(MIXED, lambda a: a.update({"nodes.extra": np.zeros(3)})))
    tree = files.from_bytes(repacked(MIXED, lambda a: a.update({"optional.extra": np.zeros(3)})))
    assert files.to_bytes(tree) == MIXED


def header_edit(data, change):
    """The file with a changed safetensors header, its length and the hash made right."""
    (length,) = struct.unpack_from("<Q", data, 24)
    header = change(data[32 : 32 + length].decode("ascii")).encode("ascii")
    body = struct.pack("<Q", len(header)) + header + data[32 + length : -32]
    head = container.HEAD.pack(container.MAGIC, 1, 0, container.HEAD.size + len(body) + 32)
    return rehashed(head + body)


def moved_section(text):
    entries = json.loads(text)
    entries["nodes.weight"]["data_offsets"] = entries["nodes.gain"]["data_offsets"]
    return json.dumps(entries, sort_keys=True, separators=(",", ":"))


HEADERS = {
    "repeated": lambda t: t.rstrip()[:-1] + ',"zz":{"data_offsets":[0,0],"dtype":"I8","shape":[0]},"zz":{}}',
    "overlapping": moved_section,
    "out of order": lambda t: json.dumps(dict(reversed(json.loads(t).items()))),
    "another spacing": lambda t: t.replace(":", ": ", 1),
    "not JSON": lambda t: t[:-9] + "!" * 9,
    "not a mapping": lambda t: "[]",
    "deep": lambda t: "[" * 100_000,
    "shape overflows": lambda t: t.replace('"shape":[', '"shape":[99999999999999999999,', 1),
    "shape negative": lambda t: t.replace('"shape":[', '"shape":[-', 1),
    "shape of truth": lambda t: t.replace('"shape":[', '"shape":[true,', 1),
    "dtype": lambda t: t.replace('"F64"', '"F16"', 1),
    "no metadata": lambda t: t.replace("__metadata__", "__metadatx__"),
}


@pytest.mark.parametrize("change", HEADERS.values(), ids=HEADERS)
def test_214_215_a_false_header_is_refused(change):
    with pytest.raises(ModelFileError):
        files.from_bytes(header_edit(MIXED, change))


def test_214_a_missing_array_is_refused_by_name_and_trailing_bytes_are_noticed():
    with pytest.raises(ModelFileError, match=r"lacks the array 'nodes\.gain'"):
        files.from_bytes(repacked(MIXED, lambda a: a.pop("nodes.gain")))
    with pytest.raises(ModelFileError, match="after its end"):
        files.from_bytes(MIXED + b"\0")
    body = MIXED[:-32] + bytes(8)
    longer = rehashed(body[:16] + struct.pack("<Q", len(body) + 32) + body[24:])
    with pytest.raises(ModelFileError, match="arrays take"):
        files.from_bytes(longer)


def test_215_a_header_longer_than_the_file_is_refused_before_anything_is_made():
    body = MIXED[:24] + struct.pack("<Q", 2**63) + MIXED[32:-32]
    with pytest.raises(ModelFileError, match="byte 24"):
        files.from_bytes(rehashed(body))

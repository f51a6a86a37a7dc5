"""How are sets of rows kept?  One bit a row, 64 rows a word, the first row lowest; bits past the last row are 0."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Words = npt.NDArray[np.uint64]
Mask = npt.NDArray[np.bool_]


def pack_bits(mask: Mask) -> Words:
    """Truth values as words of bits, along the last axis."""
    n_rows = mask.shape[-1]
    room = np.zeros((*mask.shape[:-1], 8 * ((n_rows + 63) // 64)), dtype=np.uint8)
    room[..., : (n_rows + 7) // 8] = np.packbits(mask, axis=-1, bitorder="little")
    words: Words = room.view("<u8").astype(np.uint64, copy=False)
    return words


def unpack_bits(words: Words, n_rows: int) -> Mask:
    """Words of bits as truth values, along the last axis."""
    in_bytes = np.ascontiguousarray(words, dtype="<u8").view(np.uint8)
    return np.unpackbits(in_bytes, axis=-1, count=n_rows, bitorder="little").view(np.bool_)

"""Sets of rows as bits: one bit per row, 64 rows per word, the first row lowest; bits after the last row are 0."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Words = npt.NDArray[np.uint64]
Mask = npt.NDArray[np.bool_]


def pack_bits(mask: Mask) -> Words:
    """Booleans as words of bits, along the last axis."""
    n_rows = mask.shape[-1]
    buffer = np.zeros((*mask.shape[:-1], 8 * ((n_rows + 63) // 64)), dtype=np.uint8)
    buffer[..., : (n_rows + 7) // 8] = np.packbits(mask, axis=-1, bitorder="little")
    words: Words = buffer.view("<u8").astype(np.uint64, copy=False)
    return words


def unpack_bits(words: Words, n_rows: int) -> Mask:
    """Words of bits as booleans, along the last axis."""
    in_bytes = np.ascontiguousarray(words, dtype="<u8").view(np.uint8)
    return np.unpackbits(in_bytes, axis=-1, count=n_rows, bitorder="little").view(np.bool_)

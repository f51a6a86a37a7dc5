"""Parts for hornbeam. The entry point names this module; importing it defines every part."""

from own_parts import difference, median_cut, min_fraction, subagging, tsallis

__all__ = ["difference", "median_cut", "min_fraction", "subagging", "tsallis"]

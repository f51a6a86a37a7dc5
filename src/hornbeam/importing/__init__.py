"""Models of other programs as trees and forests: `convert`, and `refill` for the statistics that a source lacks.

Every file of this folder is one source, except `convert.py`, `refill.py` and the subfolder of the code that several
sources share. A source is a class derived from `machinery.source.Source`.
"""

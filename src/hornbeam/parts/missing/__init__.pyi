# Written by tools/stubs.py (make stubs).
from hornbeam.parts.missing.base import Missing as Missing
from hornbeam.parts.missing.drop_rows import DropRows as _DropRows
from hornbeam.parts.missing.error import RefuseMissing as _RefuseMissing
from hornbeam.parts.missing.fractional import Fractional as _Fractional
from hornbeam.parts.missing.impute import Impute as _Impute
from hornbeam.parts.missing.learned import Learned as _Learned
from hornbeam.parts.missing.own_branch import OwnBranch as _OwnBranch
from hornbeam.parts.missing.skip_column import SkipColumn as _SkipColumn
from hornbeam.parts.missing.surrogates import Surrogates as _Surrogates
from hornbeam.registry import Registry as Registry

class _Missing(Registry[Missing]):
    DropRows: type[_DropRows]
    Fractional: type[_Fractional]
    Impute: type[_Impute]
    Learned: type[_Learned]
    OwnBranch: type[_OwnBranch]
    RefuseMissing: type[_RefuseMissing]
    SkipColumn: type[_SkipColumn]
    Surrogates: type[_Surrogates]

missing: _Missing

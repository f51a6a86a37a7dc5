"""`python -m hornbeam` is the command `hornbeam`."""

import sys

from hornbeam.cli.main import main

if __name__ == "__main__":
    sys.exit(main())

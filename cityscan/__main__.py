"""``python -m cityscan`` is the command ``cityscan``."""

import sys

from cityscan.cli import main

sys.exit(main())

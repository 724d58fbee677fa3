"""``python -m ccapnp``: the program `ccapnp`."""

import sys

from ccapnp.cli.main import main

sys.exit(main())

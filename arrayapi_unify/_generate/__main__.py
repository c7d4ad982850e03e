"""`python -m arrayapi_unify._generate`."""

import sys

from arrayapi_unify._generate import main

sys.exit(main(sys.argv[1:]))

"""What a person does at their terminal, for tests that run calmkb without one."""

AS_A_PERSON = """
import sys
from calmkb.cli.base.common import run
from calmkb.cli.root import calmkb
sys.exit(run(calmkb, sys.argv[1:], person=True))
"""
"""A program that runs calmkb as if a person were at its terminal: for `python -c`."""

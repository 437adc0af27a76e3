"""The types of the protocol, of configurations and of options, for type checkers. At run time they are dictionaries."""

from ._config import *
from ._protocol import *

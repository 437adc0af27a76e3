"""The types of the protocol, of configurations and of options, for type checkers. At run time they are dictionaries."""

from ._generated.config import *
from ._generated.protocol import *

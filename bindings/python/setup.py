"""Builds the extension module with the stable ABI: one wheel for a platform and every Python from 3.10 on.

A free-threaded Python has no stable ABI before 3.15; its wheel is for that Python alone.
"""

import sysconfig

from setuptools import setup

TAG = {} if sysconfig.get_config_var("Py_GIL_DISABLED") else {"bdist_wheel": {"py_limited_api": "cp310"}}

setup(cffi_modules=["build_native.py:builder"], options=TAG)

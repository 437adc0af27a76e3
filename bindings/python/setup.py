"""A wheel that brings the library (in libmcp/lib) is for one platform, but for every Python: there is no extension module."""

from pathlib import Path

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel

HAS_LIBRARY = any((Path(__file__).parent / "libmcp/lib").glob("libmcp.*"))


class Wheel(bdist_wheel):
    def finalize_options(self) -> None:
        super().finalize_options()
        self.root_is_pure = not HAS_LIBRARY

    def get_tag(self) -> tuple[str, str, str]:
        python, abi, platform = super().get_tag()
        return ("py3", "none", platform) if HAS_LIBRARY else (python, abi, platform)


setup(cmdclass={"bdist_wheel": Wheel})

"""A wheel that brings the library (in libmcp/lib) is for one platform, but for every Python: there is no extension module."""

from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel

HAS_LIBRARY = any((Path(__file__).parent / "libmcp/lib").glob("libmcp.*"))


class WithLibrary(Distribution):
    """With a file for one platform in it, all of the package belongs where such files are installed (platlib)."""

    def has_ext_modules(self) -> bool:
        return HAS_LIBRARY


class Wheel(bdist_wheel):
    def get_tag(self) -> tuple[str, str, str]:
        python, abi, platform = super().get_tag()
        return ("py3", "none", platform) if HAS_LIBRARY else (python, abi, platform)


setup(cmdclass={"bdist_wheel": Wheel}, distclass=WithLibrary)

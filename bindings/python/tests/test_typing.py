"""mypy --strict and pyright take the binding, a program that uses it and the examples, and find mistakes in one."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import libmcp

HERE = Path(__file__).parent / "typing"
PACKAGE = Path(libmcp.__file__).parent
EXAMPLES = Path(__file__).parent.parent / "examples"
LIMIT = 240


PROGRAMS = (HERE / "program.py", *sorted(EXAMPLES.glob("*.py")))


class Typing(unittest.TestCase):
    """Both checkers run at the same time: each takes seconds."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        # A package in the search path is only read; the binding itself is checked as sources.
        shutil.copytree(PACKAGE, Path(cls.folder, "libmcp"), ignore=shutil.ignore_patterns("*.so", "__pycache__"))
        for file in (*PROGRAMS, HERE / "mistakes.py"):
            shutil.copy(file, cls.folder)
        settings = {"include": ["."], "exclude": ["mistakes.py"], "pythonVersion": "3.10", "typeCheckingMode": "standard"}
        Path(cls.folder, "pyrightconfig.json").write_text(json.dumps(settings))
        cache = os.environ.get("MCP_MYPY_CACHE", str(Path(cls.folder, "cache")))
        cls.mypy = cls.start([sys.executable, "-m", "mypy", "--strict", "--python-version", "3.10", "--cache-dir", cache, "."])
        pyright = os.environ.get("MCP_PYRIGHT")
        cls.pyright = cls.start([*json.loads(pyright), "--pythonpath", sys.executable, "-p", "."]) if pyright else None

    @classmethod
    def start(cls, words):
        process = subprocess.Popen(words, cwd=cls.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        cls.addClassCleanup(process.wait)
        cls.addClassCleanup(process.kill)
        cls.addClassCleanup(process.stdout.close)
        return process

    def finish(self, process):
        said, _ = process.communicate(timeout=LIMIT)
        self.assertEqual(process.returncode, 0, said)

    def test_mypy(self):
        self.finish(self.mypy)

    def test_pyright(self):
        if self.pyright is None:
            raise unittest.SkipTest("MCP_PYRIGHT names no program; run `cargo xtask test --only python`")
        self.finish(self.pyright)

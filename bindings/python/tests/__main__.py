"""Runs all tests and tells each result in a line of its own: `python -m tests`."""

import sys
import traceback
import unittest
from pathlib import Path


class Report(unittest.TestResult):
    def startTest(self, test):
        super().startTest(test)
        print(f"=== RUN   {name(test)}", flush=True)

    def addSuccess(self, test):
        super().addSuccess(test)
        self.tell("PASS", test)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        print(f"    {reason}")
        self.tell("SKIP", test)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.tell("FAIL", test, err)

    def addError(self, test, err):
        super().addError(test, err)
        self.tell("FAIL", test, err)

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.tell("FAIL", subtest, err)

    @staticmethod
    def tell(how, test, err=None):
        if err is not None:
            print("".join(traceback.format_exception(*err)))
        print(f"--- {how}: {name(test)}", flush=True)


def name(test):
    return test.id().removeprefix("tests.").replace(" ", "_")


root = Path(__file__).parent.parent
suite = unittest.defaultTestLoader.discover(str(root / "tests"), top_level_dir=str(root))
result = Report()
suite.run(result)
sys.exit(0 if result.wasSuccessful() and result.testsRun > 0 else 1)

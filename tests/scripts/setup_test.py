#!/usr/bin/env python3
"""Tests of a build without the packages that not everything needs."""
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Build(unittest.TestCase):
    def configure(self, *definitions: str) -> subprocess.CompletedProcess:
        with tempfile.TemporaryDirectory() as folder:
            words = ["cmake", "-G", "Ninja", "-S", ROOT, "-B", folder, *definitions]
            done = subprocess.run(words, capture_output=True, text=True, check=False)
            if done.returncode == 0:
                self.targets = subprocess.run(["ninja", "-C", folder, "-t", "targets", "all"], capture_output=True,
                                              text=True, check=True).stdout
            return done

    def test_leaves_out_what_needs_packages_that_are_missing(self):
        done = self.configure("-DCMAKE_DISABLE_FIND_PACKAGE_GTest=ON", "-DCMAKE_DISABLE_FIND_PACKAGE_benchmark=ON",
                              "-DLIBCLC=")
        self.assertEqual(done.returncode, 0, done.stderr)
        for words in ("the tests (missing: libgtest-dev libgmock-dev;", "./dev bench (missing: libbenchmark-dev;",
                      "the workloads, which `warpfork cc` compiles (missing: libclc-NN;"):
            self.assertIn(f"{words} ./dev setup)", done.stderr)
        self.assertIn("\nlib/warpfork-recorder.so: ", self.targets)
        self.assertNotIn("workloads/bfs: ", self.targets)

    def test_names_all_packages_without_which_nothing_can_be_built(self):
        done = self.configure("-DCMAKE_DISABLE_FIND_PACKAGE_fmt=ON", "-DNETTLE_LIBRARY=")
        self.assertEqual(done.returncode, 1)
        self.assertIn("needed and missing: libfmt-dev nettle-dev\n", done.stderr)


if __name__ == "__main__":
    unittest.main()

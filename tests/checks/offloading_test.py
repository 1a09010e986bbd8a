#!/usr/bin/env python3
"""Tests of programs with OpenMP and OpenACC directives, compiled by GCC: offloading_test.py WARPFORK [TEST…]

They are skipped without Debian's gcc-12-offload-nvptx.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
WARPFORK = pathlib.Path(sys.argv.pop(1)).resolve()
# CUDA 13's ptxas, which nvptx-as would find, knows no architecture that GCC compiles for.
ENVIRONMENT = {**os.environ, "PATH": "/usr/bin:/bin"}


def compiles_for_ptx():
    """Whether there is the compiler; with it comes libgomp's plugin."""
    if not shutil.which("gcc-12"):
        return False
    name = "accel/nvptx-none/mkoffload"
    found = subprocess.run(["gcc-12", f"-print-file-name={name}"], capture_output=True, text=True, check=True)
    return found.stdout.strip() != name


@unittest.skipUnless(compiles_for_ptx(), "there is no gcc-12-offload-nvptx")
class Offloading(unittest.TestCase):
    """`program`, compiled from `<name>.c` with `option`."""
    name = option = None

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.program = pathlib.Path(folder.name) / cls.name
        subprocess.run(["gcc-12", "-O2", cls.option, "-foffload=nvptx-none", HERE / f"{cls.name}.c", "-o", cls.program],
                       check=True, env=ENVIRONMENT)

    def run_program(self, *options):
        return subprocess.run([WARPFORK, "run", *options, self.program], capture_output=True, text=True)

    def passes(self, *options):
        run = self.run_program(*options)
        self.assertEqual(run.stdout, "PASS\n", run.stderr)
        self.assertEqual(run.returncode, 0, run.stderr)


class OpenMp(Offloading):
    """With libgomp's code in each kernel."""
    name, option = "openmp_target", "-fopenmp"

    def test_it_runs_on_the_device(self):
        self.passes("--functional-only")
        self.passes()

    def test_its_team_needs_a_mechanism_that_works_within_warps(self):
        run = self.run_program("--divergence", "tbc")
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("they meet there under --divergence pdom", run.stderr)


class OpenAcc(Offloading):
    name, option = "openacc", "-fopenacc"

    def test_it_runs_under_every_mechanism(self):
        self.passes("--functional-only")
        compared = subprocess.run([WARPFORK, "compare", self.program], capture_output=True, text=True)
        self.assertEqual(compared.returncode, 0, compared.stderr)


if __name__ == "__main__":
    unittest.main()

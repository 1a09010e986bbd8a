#!/usr/bin/env python3
"""Tests of asynchronous copies and barriers in memory, of a CUDA program: asynchronous_test.py WARPFORK [TEST…]"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
from program_case import HERE, NVCC, warpfork  # noqa: E402


@unittest.skipUnless(NVCC.exists(), "there is no nvcc")
class Asynchronous(unittest.TestCase):
    def test_programs_for_sm_80_run_functionally_and_timed(self):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "asynchronous"
            source = HERE / "asynchronous.cu"
            subprocess.run([NVCC, "-arch=sm_80", "-cudart", "shared", source, "-o", program], check=True)
            for options in (["--functional-only"], [], ["--divergence", "multi-path"],
                            ["--lanes", "tsimt-plus", "--scalarize", "divergent"]):
                with self.subTest(options=options):
                    run = warpfork("run", *options, program)
                    self.assertEqual(run.stdout, "PASS\n", run.stderr)


if __name__ == "__main__":
    unittest.main()

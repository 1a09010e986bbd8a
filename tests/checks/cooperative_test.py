#!/usr/bin/env python3
"""Tests of cooperative launches, of a CUDA program: cooperative_test.py WARPFORK [TEST…]"""
import json
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
from program_case import HERE, NVCC, ProgramCase, warpfork  # noqa: E402

DEVICE_RUNTIME = NVCC.parent.parent / "lib64/libcudadevrt.a"


class CooperativeLaunch(ProgramCase):
    name = "cooperative"

    def passes(self, *options):
        run = warpfork("run", *options, self.program)
        self.assertEqual(run.stdout.splitlines()[0], "PASS", run.stderr)

    def test_blocks_wait_for_one_another_under_every_mechanism(self):
        for mechanism in ("pdom", "dual-path", "multi-path", "multi-path-or", "thread-frontier", "convergence-barrier", "tbc", "capri"):
            with self.subTest(mechanism=mechanism):
                self.passes("--divergence", mechanism)

    def test_blocks_wait_for_one_another_without_timing(self):
        self.passes("--functional-only")

    @unittest.skipUnless(NVCC.exists(), "there is no nvcc")
    def test_blocks_wait_for_one_another_by_nvidias_own_headers(self):
        program = self.folder / "by_nvcc"
        source = HERE / f"{self.name}.cu"
        subprocess.run([NVCC, "-arch=sm_75", "-cudart", "shared", source, "-o", program], check=True)
        run = warpfork("run", "--functional-only", program)
        self.assertEqual(run.stdout.splitlines()[0], "PASS", run.stderr)

    def test_a_saved_launch_is_cooperative_too(self):
        saved, result = self.folder / "second.wfl", self.folder / "result.json"
        self.passes("--save-launch", "2", "-o", saved)
        for options in ([], ["--functional-only"]):
            run = warpfork("run", *options, "--json", result, saved)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn("rounds", json.loads(result.read_text())["launches"][0]["name"])

    def test_it_does_not_matter_how_many_host_threads_there_are(self):
        results = []
        for threads in ("1", "2"):
            result = self.folder / f"threads{threads}.json"
            self.passes("--threads", threads, "--json", result)
            results.append(result.read_bytes())
        self.assertEqual(results[0], results[1])


class GridBarrier(ProgramCase):
    name, options = "grid_barrier", ["-lcuda"]

    def passes(self, *words, options=()):
        run = warpfork("run", *options, self.program, *words)
        self.assertEqual(run.stdout.splitlines()[:1], ["PASS"], run.stderr)

    def test_blocks_wait_for_one_another_under_every_mechanism(self):
        for mechanism in ("pdom", "multi-path", "thread-frontier", "convergence-barrier", "tbc"):
            with self.subTest(mechanism=mechanism):
                self.passes(options=["--divergence", mechanism])

    def test_blocks_wait_for_one_another_without_timing(self):
        self.passes(options=["--functional-only"])

    @unittest.skipUnless(DEVICE_RUNTIME.exists(), "there is no nvcc")
    def test_nvidias_device_runtime_is_linked(self):
        self.passes(DEVICE_RUNTIME)


if __name__ == "__main__":
    unittest.main()

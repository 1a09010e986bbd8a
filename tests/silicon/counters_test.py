#!/usr/bin/env python3
"""The simulator counts as a GPU's hardware counters do how often global memory is asked for, how many sectors of 32 bytes
that takes, and how often lanes meet in a bank of shared memory: counters_test.py WARPFORK FOLDER_OF_PROGRAMS

The GPU ran what NVIDIA's compiler made of the workloads, the simulator runs what Debian's clang made: the programs here
are short ones whose accesses do not depend on which of them it was, nor on where a warp's threads meet again. All
programs of one compiler: docs/results/silicon.md."""
import json
import pathlib
import sys
import unittest

from traffic import traffic

RECORDED = pathlib.Path(__file__).resolve().parents[1] / "data" / "silicon" / "nvidia-h200" / "counters.json"
GLOBAL = ("aes", "backprop", "capri_sample", "hotspot", "idct", "lps", "lud", "mandelbrot", "nn", "nw", "ray", "raytrace",
          "reduction", "storegpu", "visibility")
BANKS = ("aes", "nw")


class Counters(unittest.TestCase):
    warpfork, folder = "", pathlib.Path()

    def test_global_memory_and_banks(self):
        recorded = json.loads(RECORDED.read_text())
        for name in GLOBAL:
            counted = traffic(self.warpfork, self.folder / name)
            names = [n for n in counted if n.startswith("global")] + ["shared_load_conflicts"] * (name in BANKS)
            with self.subTest(name):
                self.assertEqual({n: counted[n] for n in names}, {n: recorded[name][n] for n in names})


if __name__ == "__main__":
    Counters.warpfork, Counters.folder = sys.argv[1], pathlib.Path(sys.argv[2])
    unittest.main(argv=sys.argv[:1])

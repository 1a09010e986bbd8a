#!/usr/bin/env python3
"""The workloads on the simulator leave the bits that they left on a GPU: workloads_test.py WARPFORK FOLDER_OF_PROGRAMS

The GPU ran what NVIDIA's compiler made of them, the simulator runs what Debian's clang made."""
import json
import pathlib
import sys
import unittest

from programs import downloads

RECORDED = pathlib.Path(__file__).resolve().parents[1] / "data" / "silicon" / "nvidia-h200" / "workloads.json"
# Why others differ.
APPROXIMATE = {
    "cp": "rsqrt.approx",
    "libor": "ex2.approx",
    "tpacf": "two compilers, other multiply-adds",
    "spin_lock": "the order in which threads get the lock",
}


class Workloads(unittest.TestCase):
    warpfork, folder = "", pathlib.Path()

    def test_all_leave_the_bits_of_the_gpu(self):
        recorded = json.loads(RECORDED.read_text())
        self.assertEqual(len(recorded), 32)
        for name in sorted(recorded.keys() - APPROXIMATE.keys()):
            with self.subTest(name):
                command = [self.warpfork, "run", "--functional-only", self.folder / name]
                self.assertEqual(downloads(command), recorded[name])


if __name__ == "__main__":
    Workloads.warpfork, Workloads.folder = sys.argv[1], pathlib.Path(sys.argv[2])
    unittest.main(argv=sys.argv[:1])

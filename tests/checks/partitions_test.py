#!/usr/bin/env python3
"""Tests of groups that a partition makes, of a CUDA program: partitions_test.py WARPFORK [TEST…]"""
import sys
import unittest

sys.dont_write_bytecode = True
from program_case import ProgramCase, warpfork  # noqa: E402


class Partitions(ProgramCase):
    name = "partitions"

    # tbc and capri move threads that part between warps, where those of one group could not exchange values.
    def test_groups_of_different_sizes_stay_together_under_every_mechanism(self):
        for mechanism in ("pdom", "dual-path", "multi-path", "multi-path-or", "thread-frontier", "convergence-barrier", "tbc", "capri"):
            with self.subTest(mechanism=mechanism):
                run = warpfork("run", "--divergence", mechanism, self.program)
                self.assertEqual(run.stdout.splitlines()[0], "PASS", run.stderr)


if __name__ == "__main__":
    unittest.main()

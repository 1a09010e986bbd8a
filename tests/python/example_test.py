#!/usr/bin/env python3
"""The example of the Python module draws what it says; the module is found on PYTHONPATH."""
import importlib.util
import os
import pathlib
import runpy
import sys
import tempfile
import unittest

import warpfork

EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "examples/python/mechanisms.py"
MISSING = [name for name in ("pandas", "matplotlib") if importlib.util.find_spec(name) is None]


class Example(unittest.TestCase):
    @unittest.skipIf(MISSING, f"not installed: {', '.join(MISSING)} (Debian: python3-pandas, python3-matplotlib)")
    def test_six_mechanisms_on_eight_workloads_are_bars_of_a_picture(self):
        os.environ["MPLBACKEND"] = "Agg"
        with tempfile.TemporaryDirectory() as folder:
            picture = pathlib.Path(folder, "mechanisms.png")
            sys.argv[1:] = [str(picture)]
            names = runpy.run_path(str(EXAMPLE))
            self.assertTrue(picture.read_bytes().startswith(b"\x89PNG"))
        self.assertEqual(names["cycles"].shape, (8, 6))
        counted = warpfork.run("mandelbrot", 48, divergence="tbc")["totals"]["cycles"]
        self.assertEqual(names["cycles"].loc["mandelbrot", "tbc"], counted)
        heights = {round(bar.get_height(), 9) for bar in names["axes"].patches}
        self.assertIn(round(names["cycles"].loc["mandelbrot", "pdom"] / counted, 9), heights)
        self.assertEqual(len(names["axes"].patches), 48)


if __name__ == "__main__":
    unittest.main()

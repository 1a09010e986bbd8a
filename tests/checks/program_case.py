"""What tests of a CUDA program beside this file share: TEST.py WARPFORK [TEST…]"""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
NVCC = pathlib.Path("/usr/local/cuda/bin/nvcc")
WARPFORK = pathlib.Path(sys.argv.pop(1)).resolve()


def warpfork(*words):
    return subprocess.run([WARPFORK, *words], capture_output=True, text=True)


@unittest.skipUnless(shutil.which("clang++"), "there is no clang")
class ProgramCase(unittest.TestCase):
    """`program`, compiled from `<name>.cu` with `options`, in a `folder` of its own."""
    name, options = None, []

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.program = cls.folder / cls.name
        subprocess.run([WARPFORK, "cc", HERE / f"{cls.name}.cu", "-O2", "-o", cls.program, *cls.options], check=True)

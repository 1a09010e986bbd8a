#!/usr/bin/env python3
"""Tests of what `cmake --install` makes: install_test.py BUILD_FOLDER, with `all` built in it."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(sys.argv.pop())


def output(*words: object) -> str:
    return subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True).stdout


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        folder = pathlib.Path(cls.folder.name)
        output("cmake", "--install", BUILD, "--prefix", folder / "first")
        cls.prefix = folder / "moved"
        shutil.move(folder / "first", cls.prefix)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_a_moved_tree_builds_and_runs_a_cuda_program(self):
        warpfork, source = self.prefix / "bin/warpfork", self.prefix / "k.cu"
        source.write_text("#include <cstdio>\n__global__ void k() {}\nint main() { k<<<1, 32>>>(); std::puts(\"ran\"); }\n")
        output(warpfork, "cc", source, "-o", self.prefix / "k")
        self.assertTrue(output(warpfork, "run", self.prefix / "k").startswith("ran\n"))

    def test_a_moved_tree_builds_and_runs_a_program_of_the_driver(self):
        warpfork, source, program = self.prefix / "bin/warpfork", self.prefix / "d.c", self.prefix / "d"
        source.write_text("#include <cuda.h>\n#include <stdio.h>\n"
                          "int main() { int n = 0; cuInit(0); cuDeviceGetCount(&n); printf(\"%d device\\n\", n); }\n")
        output(warpfork, "cc", source, "-lcuda", "-o", program)
        self.assertTrue(output(warpfork, "run", program).startswith("1 device\n"))

    def test_cmake_takes_a_moved_tree_for_the_cuda_toolkit(self):
        toolkit, project, build = self.prefix / "share/warpfork/cuda", self.prefix / "project", self.prefix / "build"
        project.mkdir()
        (project / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.18)\nproject(p LANGUAGES CXX CUDA)\nfind_package(CUDAToolkit REQUIRED)\n"
            "add_executable(p k.cu twice.cu main.cpp)\nset_target_properties(p PROPERTIES CUDA_SEPARABLE_COMPILATION ON)\n"
            "target_link_libraries(p CUDA::cudart)\n")
        (project / "twice.cu").write_text("__device__ int twice(int x) { return 2 * x; }\n")
        (project / "k.cu").write_text("__device__ int twice(int x);\n__global__ void k(int* p) { *p = twice(21); }\n"
                                      "void launch(int* p) { k<<<1, 1>>>(p); }\n")
        (project / "main.cpp").write_text(
            "#include <cuda_runtime.h>\n#include <cstdio>\nvoid launch(int*);\n"
            "int main() { int *p, n = 0; cudaMalloc(&p, 4); launch(p);\n"
            "  cudaMemcpy(&n, p, 4, cudaMemcpyDeviceToHost); std::printf(\"%d\\n\", n); }\n")
        configured = output("cmake", "-S", project, "-B", build, f"-DCMAKE_CUDA_COMPILER={toolkit}/bin/nvcc")
        self.assertIn(f"Found CUDAToolkit: {toolkit}/include", configured)
        output("cmake", "--build", build)
        self.assertTrue(output(self.prefix / "bin/warpfork", "run", build / "p").startswith("42\n"))

    def test_cmakes_find_cuda_takes_it_as_well(self):
        toolkit, project, build = self.prefix / "share/warpfork/cuda", self.prefix / "older", self.prefix / "older-build"
        project.mkdir()
        (project / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.10)\nproject(p)\n"
                                                "find_package(CUDA REQUIRED)\ncuda_add_executable(p p.cu)\n")
        (project / "p.cu").write_text("#include <cstdio>\n__global__ void k() {}\n"
                                      "int main() { k<<<1, 32>>>(); std::puts(\"ran\"); }\n")
        output("cmake", "-S", project, "-B", build, f"-DCUDA_TOOLKIT_ROOT_DIR={toolkit}", "-DCMAKE_BUILD_TYPE=Release")
        output("cmake", "--build", build)
        self.assertTrue(output(self.prefix / "bin/warpfork", "run", build / "p").startswith("ran\n"))

    def test_a_moved_tree_has_workloads_with_their_inputs(self):
        printed = output(self.prefix / "bin/warpfork", "run", "--functional-only",
                         self.prefix / "lib/warpfork/workloads/bfs", "--reverse", "1", "--source", "16807")
        self.assertIn("PASS", printed)

    def test_a_moved_tree_finds_its_experiments(self):
        printed = output(self.prefix / "bin/warpfork", "experiment", "capri", "--only", "SAMPLE")
        self.assertIn("SAMPLE", printed)

    def test_a_plugin_built_against_it_runs_a_cuda_program(self):
        example, build = self.prefix / "share/doc/warpfork/examples/min-pc", self.prefix / "plugin"
        output("cmake", "-S", example, "-B", build, f"-DCMAKE_PREFIX_PATH={self.prefix}", "-DCMAKE_BUILD_TYPE=Release")
        output("cmake", "--build", build)
        printed = output("env", f"WARPFORK_PLUGINS={build}/libmin_pc.so", self.prefix / "bin/warpfork", "compare",
                         "--divergence", "pdom,min-pc", self.prefix / "lib/warpfork/workloads/mandelbrot", "48")
        self.assertRegex(printed, r"\nmin-pc +\d")

    def test_a_program_of_another_tree_runs_a_kernel(self):
        example, build = self.prefix / "share/doc/warpfork/examples/run-kernel", self.prefix / "kernel"
        output("cmake", "-S", example, "-B", build, f"-DCMAKE_PREFIX_PATH={self.prefix}", "-DCMAKE_BUILD_TYPE=Release",
               "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror")
        output("cmake", "--build", build)
        kernel = (example / "scale.ptx", "--launch", example / "launch.toml")
        document = json.loads(output(self.prefix / "bin/warpfork", "run", "--json", "-", *kernel))
        printed = output(build / "run_kernel", example / "scale.ptx", example / "launch.toml")
        self.assertEqual(printed.split()[:2], ["pdom", str(document["totals"]["cycles"])])
        self.assertEqual(printed.splitlines()[-1].split()[0], "capri")  # one line for each mechanism

    def by_python(self, script: str) -> str:
        """What a script prints that imports the installed module."""
        packages = self.prefix / "lib/python3/dist-packages"
        module = next(packages.glob("warpfork/_warpfork.*.so"), None)
        if module is None:
            self.skipTest("the Python module was not built: it needs pybind11-dev and python3-dev")
        python = re.search(r"^_?Python_EXECUTABLE:\w+=(.+)$", (BUILD / "CMakeCache.txt").read_text(), re.MULTILINE).group(1)
        return output("env", f"PYTHONPATH={packages}", python, "-c", f"import warpfork; {script}")

    def test_the_python_module_runs_a_workload(self):
        self.assertEqual(self.by_python("print(warpfork.run('bfs', 500)['program']['name'], warpfork.__file__)"),
                         f"bfs {self.prefix}/lib/python3/dist-packages/warpfork/__init__.py\n")

    def test_the_python_module_compares_mechanisms(self):
        self.assertEqual(self.by_python("print(len(warpfork.compare('bfs', 500, divergence=['pdom', 'tbc'])['results']))"), "2\n")

    def test_the_python_module_runs_a_sweep(self):
        plan = self.prefix / "plan.toml"
        plan.write_text("[[program]]\nfile = \"bfs\"\narguments = [\"500\"]\n[[machine]]\nmachine = \"gtx480\"\n")
        self.assertEqual(self.by_python(f"print(len(warpfork.sweep('{plan}').query('SELECT * FROM points')))"), "1\n")

    def test_every_header_that_is_installed_can_be_included(self):
        headers, source = self.prefix / "include/warpfork", self.prefix / "all.cpp"
        names = sorted(header.relative_to(headers) for header in headers.rglob("*.h"))
        source.write_text("".join(f"#include \"{name}\"\n" for name in names))
        output("g++", "-std=c++20", "-fsyntax-only", "-I", headers, source)

    def test_links_of_all_pages_lead_somewhere(self):
        folder = self.prefix / "share/doc/warpfork"
        pages = [*folder.rglob("*.md"), *(folder / "experiments").rglob("*.md"), *(folder / "toolchain").rglob("*.md")]
        links = [(page.relative_to(folder), link) for page in pages
                 for link in re.findall(r"\]\((?!https?:|#)([^)#\s]+)", page.read_text())]
        self.assertGreater(len(links), 300)
        # As a browser does, which knows nothing of symbolic links.
        self.assertEqual([f"{page}: {link}" for page, link in links
                          if not pathlib.Path(os.path.normpath(folder / page.parent / link)).exists()], [])

    def test_the_manual_is_one_that_troff_reads(self):
        page = self.prefix / "share/man/man1/warpfork.1"
        self.assertIn(".SS \"warpfork cpu compare\"", page.read_text())

    def test_the_completions_are_scripts_that_bash_reads(self):
        script = self.prefix / "share/bash-completion/completions/warpfork"
        self.assertEqual(output("bash", "-c", f"source {script}; COMP_WORDS=(warpfork expl); COMP_CWORD=1; _warpfork; "
                                              "echo ${COMPREPLY[*]}"), "explain\n")
        self.assertTrue((self.prefix / "share/zsh/site-functions/_warpfork").read_text().startswith("#compdef warpfork"))


if __name__ == "__main__":
    unittest.main()

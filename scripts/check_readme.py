#!/usr/bin/env python3
"""Runs the README's examples and compares what they print with what the README shows.

    check_readme.py [--update] WARPFORK

Exit status 1 if something differs, 77 if clang is not 14, whose code the README's numbers are of; with --update it is written into the README instead, to be read before it is committed.
"""
import pathlib
import subprocess
import sys
import tempfile
import textwrap

FILE = pathlib.Path(__file__).resolve().parent.parent / "README.md"
README = FILE.read_text()


def block_after(words: str) -> str:
    """The indented block that follows these words."""
    lines = README[README.index(words):].split("\n\n", 1)[1].splitlines()
    end = next((i for i, line in enumerate(lines) if line and not line.startswith("    ")), len(lines))
    return textwrap.dedent("\n".join(lines[:end])).strip() + "\n"


def updated(readme: str, expected: str, got: str) -> str:
    """The README with an example's output in the place of the one that it shows."""
    def indented(text: str) -> str:
        return textwrap.indent(text.strip(), "    ")
    assert readme.count(indented(expected)) == 1
    return readme.replace(indented(expected), indented(got))


def main(warpfork: str, update: bool) -> int:
    clang = subprocess.run(["clang++", "-dumpversion"], capture_output=True, text=True, check=True).stdout
    if not clang.startswith("14."):
        print(f"the README's numbers are of clang 14's code, not {clang.strip()}'s")
        return 77
    readme = README
    with tempfile.TemporaryDirectory() as folder:
        def printed(*arguments: str) -> subprocess.CompletedProcess:
            done = subprocess.run([warpfork, *arguments], cwd=folder, capture_output=True, text=True)
            if done.returncode != 0:
                sys.exit(f"warpfork {' '.join(map(str, arguments))}: exit status {done.returncode}\n{done.stderr}")
            return done

        def output(*arguments: str) -> str:
            return printed(*arguments).stdout

        for name, words in (("saxpy.cu", "`saxpy.cu`:"), ("scale.ptx", "`scale.ptx`:"),
                            ("launch.toml", "`launch.toml` says")):
            (pathlib.Path(folder) / name).write_text(block_after(words))
        output("cc", "saxpy.cu", "-o", "saxpy")
        output("run", "scale.ptx", "--launch", "launch.toml")
        saxpy = printed("run", "./saxpy")
        shown = {"run ./saxpy": (block_after("    warpfork run ./saxpy\n"), saxpy.stdout + saxpy.stderr),
                 "inspect scale.ptx": (block_after("`inspect` prints:"), output("inspect", "scale.ptx"))}
        output("cc", FILE.parent / "examples/transpose/transpose.cu", "-o", "transpose")
        why = printed("run", "--lines", "./transpose").stderr  # standard output is the program's
        shown["run --lines ./transpose"] = (block_after("transposed in three ways:"), why[why.index("why slow\n"):])
        life = block_after("Of the\nsecond:")
        explained = output("explain", "scale.ptx", "--launch", "launch.toml", "--divergence", "multi-path").splitlines()
        first = next(i for i, line in enumerate(explained) if line.endswith("bra EVEN;"))
        shown["explain scale.ptx"] = (life, textwrap.dedent("\n".join(explained[first:first + len(life.splitlines())])))
        workloads = pathlib.Path(warpfork).parent / "workloads"
        demo = output("compare", "--divergence", "pdom,multi-path,multi-path-or", workloads / "bfs",
                      "--reverse", "1", "--source", "16807", "--hubs", "64")
        shown["compare bfs (./dev demo)"] = (block_after("and ends with:").split("The whole result:")[0], demo)
        table = "build/release/workloads/raytrace --size 192\n"
        shown["compare raytrace"] = (block_after("`build/release/warpfork`.").split(table)[1],
                                     output("compare", workloads / "raytrace", "--size", "192"))
        lanes = "build/release/workloads/mandelbrot\n"
        shown["compare mandelbrot"] = (block_after("`compare` takes several of both:").split(lanes)[1],
                                       output("compare", "--machine", "tesla30", "--lanes", "simt,simt-scc,tsimt,stsimt4",
                                              workloads / "mandelbrot"))
        for command, (expected, got) in shown.items():
            if got.strip() != expected.strip() and update:
                readme = updated(readme, expected, got)
            elif got.strip() != expected.strip():
                print(f"warpfork {command}: README.md shows\n{expected}\nbut it prints\n{got}", file=sys.stderr)
                return 1
    if update:
        FILE.write_text(readme)
    return 0


if __name__ == "__main__":
    sys.exit(main(str(pathlib.Path(sys.argv[-1]).resolve()), "--update" in sys.argv))

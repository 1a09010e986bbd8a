#!/usr/bin/env python3
"""Which instructions warpfork takes that ptxas refuses, and the other way round.

    scripts/compare_ptxas.py build/release/warpfork [--seed N] [--count N]

Needs NVIDIA's ptxas. Forms of tests/unit/simt/reference_patterns.def, of which one operand is exchanged for another kind
of operand, left out, or one added, are given to both behind a branch that jumps over them. Prints the differences by
ptxas's message or ours, with examples.
"""
import argparse
import collections
import concurrent.futures
import pathlib
import random
import re
import subprocess
import tempfile

PATTERNS = pathlib.Path(__file__).resolve().parent.parent / "tests/unit/simt/reference_patterns.def"
HEAD = """.version 9.0
.target sm_90a
.address_size 64
.global .u32 variable[4];
.visible .entry k(.param .u64 out)
{
.reg .b32 %r<9>; .reg .b64 %d<9>; .reg .b16 %h<9>; .reg .pred %p<9>;
.reg .u32 %u<9>; .reg .s32 %s<9>; .reg .f32 %f<9>; .reg .f64 %g<9>; .reg .u64 %e<9>; .reg .f16 %x<9>; .reg .b8 %b<9>;
bra.uni end;
"""
TAIL = "end: ret;\n}\n"
LAUNCH = 'kernel = "k"\ngrid = [1, 1, 1]\nblock = [32, 1, 1]\n[[argument]]\nscalar = 0\ntype = "u64"\n'
OTHERS = ["%u1", "%s1", "%f1", "%g1", "%r1", "%d1", "%h1", "%p1", "!%p1", "%e1", "%x1", "%b1", "-%r1", "%r1.b0", "_",
          "5", "-5", "0x1ffffffff", "1.5", "0f3f800000", "0d3ff0000000000000", "%tid.x", "%tid", "%clock64", "variable",
          "out", "%r1|%p1", "{%r1, %r2}", "{%d1, %d2}", "[%d1]", "[%r1+4]", "[variable]", "[5]"]
OF_LETTER = {"q": ["p"], "R": ["r", "7"], "H": ["h", "7"], "D": ["d", "7"], "F": ["r", "0f3f800000"],
             "G": ["d", "0d3ff0000000000000"], "i": ["3"], "T": ["0x80"], "P": ["p", "!p"]}
AT_ONCE = 24  # instructions that ptxas gets in one file


def patterns() -> list:
    """Of one instruction each, whose operands are registers and literals alone."""
    found = re.findall(r'^"(.*)",', PATTERNS.read_text(), re.M)
    return [text.rstrip(";") for text in found if text.count(";") == 1 and not re.search(r"%(m|c\d|out|scratch)", text)]


def form_of(pattern: str, draw: random.Random) -> str:
    while alternatives := re.search(r"\[([^\[\]]*\|[^\[\]]*)\]", pattern):
        chosen = draw.choice(alternatives[1].split("|"))
        pattern = pattern[:alternatives.start()] + chosen + pattern[alternatives.end():]

    def operand(letter: re.Match) -> str:
        kind = draw.choice(OF_LETTER.get(letter[1], [letter[1]]))
        return re.sub(r"^(!?)([a-z])$", lambda name: f"{name[1]}%{name[2]}{draw.randrange(4)}", kind)

    return re.sub(r"%([rhdpqRHDFGiTP])(?![a-z_0-9])", operand, pattern)


def changed(form: str, draw: random.Random) -> str:
    opcode, _, rest = form.partition(" ")
    operands = re.findall(r"(?:\{[^}]*\}|\[[^\]]*\]|[^,])+", rest)
    how = draw.random()
    if how < 0.1 and operands:
        operands.pop()
    elif how < 0.2 or not operands:
        operands.append(draw.choice(OTHERS))
    else:
        operands[draw.randrange(len(operands))] = draw.choice(OTHERS)
    return f"{opcode} {', '.join(text.strip() for text in operands)};"


def by_ptxas(folder: pathlib.Path, number: str, lines: list) -> dict:
    """What ptxas says of each; "" if it takes it. A file that it does not read to its end is parted in two."""
    file = folder / f"{number}.ptx"
    file.write_text(HEAD + "\n".join(lines) + "\n" + TAIL)
    done = subprocess.run(["ptxas", "-arch=sm_90a", "-o", "/dev/null", file], capture_output=True, text=True)
    if done.returncode == 0:
        return dict.fromkeys(lines, "")
    text = done.stdout + done.stderr
    first = HEAD.count("\n") + 1
    said = {int(line): message for line, message in re.findall(r"line (\d+); error\s*: (.*)", text)}
    if len(lines) == 1:
        return {lines[0]: next(iter(said.values()), text.split("\n")[0].rpartition("; ")[2])}
    stopped = any(not message.startswith("Ptx assembly aborted") for message in re.findall(r"fatal\s*: (.*)", text))
    if said and not stopped and all(first <= line < first + len(lines) for line in said):
        return {text: said.get(first + i, "") for i, text in enumerate(lines)}
    half = len(lines) // 2
    return by_ptxas(folder, number + "a", lines[:half]) | by_ptxas(folder, number + "b", lines[half:])


def by_warpfork(warpfork: pathlib.Path, folder: pathlib.Path, number: int, line: str) -> str:
    file = folder / f"ours{number}.ptx"
    file.write_text(f"{HEAD}{line}\n{TAIL}")
    done = subprocess.run([warpfork, "run", "--functional-only", file, "--launch", folder / "launch.toml"],
                          capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stderr.split("\n")[0].rpartition("error: ")[2]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("warpfork", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=3000)
    options = parser.parse_args()
    draw, all_patterns, lines = random.Random(options.seed), patterns(), {}
    while len(lines) < options.count:
        lines[changed(form_of(draw.choice(all_patterns), draw), draw)] = None
    lines = list(lines)
    differences = collections.defaultdict(list)
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor() as pool:
        folder = pathlib.Path(name)
        (folder / "launch.toml").write_text(LAUNCH)
        starts = range(0, len(lines), AT_ONCE)
        theirs = {}
        for found in pool.map(lambda at: by_ptxas(folder, str(at), lines[at:at + AT_ONCE]), starts):
            theirs |= found
        ours = pool.map(lambda i: by_warpfork(options.warpfork.resolve(), folder, i, lines[i]), range(len(lines)))
        for line, said in zip(lines, ours):
            if bool(said) != bool(theirs[line]):
                kind = "only warpfork refuses" if said else "only ptxas refuses"
                differences[kind, re.sub(r"'[^']*'", "…", said or theirs[line])].append(line)
    print(f"{len(lines)} instructions, {sum(not said for said in theirs.values())} of which ptxas takes")
    for (kind, message), examples in sorted(differences.items(), key=lambda item: (item[0][0], -len(item[1]))):
        print(f"{kind}, {len(examples)} times: {message}")
        for example in examples[:3]:
            print(f"    {example}")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Checks that no class of src/ has more than 300 lines, whatever number of files they stand in.

Counted are lines of code, not comments and blank lines: the class as it is defined, with all that is nested in it, and
the definitions of its members in all sources. A class over the limit owns several things; each of them wants a class.
--list N prints the N largest classes; another folder than src/ can be given.
"""
import argparse
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIMIT = 300

COMMENT = r"//[^\n]*|/\*.*?\*/"
LITERAL = r'R"(?P<mark>\w*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|(?<![\da-fA-F])\'(?:\\.|[^\'\\\n])+\''
DIRECTIVE = r"^[ \t]*#(?:\\\n|[^\n])*"
CLASS = re.compile(r"\b(?<!enum )(?:class|struct|union)\s+([\w:]+)\s*(?:final\s*)?(?::(?!:).*)?$", re.DOTALL)
MEMBER = re.compile(r"([\w:]+)::(?:~?\w+|operator[^\w\s]+|operator \w[\w:]*)\s*$")


def parsable(text: str) -> str:
    """The text, line by line, with comments blank and with names for literals and preprocessor directives."""
    def replacement(match: re.Match) -> str:
        filler = "" if match.group().startswith("/") else "_"
        return "\n".join([filler] * (match.group().count("\n") + 1))
    return re.sub(f"{COMMENT}|{LITERAL}|{DIRECTIVE}", replacement, text, flags=re.DOTALL | re.MULTILINE)


def plain(head: str) -> str:
    """What stands before a brace, without directives, attributes and template parameters and arguments."""
    head = re.sub(r"^_$|\[\[.*?\]\]|alignas\s*\([^)]*\)", " ", head, flags=re.MULTILINE | re.DOTALL)
    head = re.sub(r"operator\s*(\(\s*\)|[<>]+=?>?)", "operator~", head)
    before = None
    while before != head:
        before, head = head, re.sub(r"\s*<[^<>]*>", "", head)
    return " ".join(head.split())


def closing(code: str, opening: int) -> int:
    depth = 0
    for match in re.compile(r"[({\[]|[)}\]]").finditer(code, opening):
        depth += 1 if match.group() in "({[" else -1
        if depth == 0:
            return match.start()
    raise ValueError(f"line {code.count(chr(10), 0, opening) + 1}: '{code[opening]}' is not closed")


def definitions(code: str, begin: int, end: int, spaces: tuple[str, ...]):
    """(namespaces, head, lines of code) of each class and function that is defined in namespaces."""
    start = at = begin
    while match := re.compile(r"[({\[;]").search(code, at, end):
        if match.group() == ";":
            start = at = match.end()
            continue
        close = closing(code, match.start())
        at = close + 1
        if match.group() != "{":
            continue
        head = plain(code[start:match.start()])
        if space := re.fullmatch(r"(?:inline )?namespace ?([\w:]*)|extern _", head):
            yield from definitions(code, match.end(), close, (*spaces, *(space[1] or "").split("::")))
        elif re.search(r"\) ?(?:noexcept ?)?:(?!:).*[\w>]$", head) or not (CLASS.search(head) or "(" in head):
            continue  # a member that a constructor initialises; a variable or an enumeration
        else:
            yield spaces, head, sum(1 for line in code[start:close + 1].splitlines() if line.strip())
        start = at


def owner(head: str, spaces: tuple[str, ...], classes: set[tuple[str, ...]]) -> tuple[str, ...] | None:
    """The outermost class that what is defined belongs to."""
    match = CLASS.search(head) if "(" not in head else MEMBER.search(head.split("(")[0])
    names = match[1].split("::") if match else []
    for outer in range(len(spaces), -1, -1):
        for inner in range(1, len(names) + 1):
            if (*spaces[:outer], *names[:inner]) in classes:
                return (*spaces[:outer], *names[:inner])
    return None


def sizes(folder: pathlib.Path) -> dict[tuple[str, ...], int]:
    """Lines of each class, by namespaces and name; an unnamed namespace is called after its file."""
    found = []
    for source in sorted(p for p in folder.rglob("*") if p.suffix in (".h", ".cpp")):
        code = parsable(source.read_text())
        file = str(source.relative_to(folder))
        for spaces, head, lines in definitions(code, 0, len(code), ()):
            found.append((tuple(space or file for space in spaces), head, lines))
    names = ((spaces, CLASS.search(head)) for spaces, head, _ in found if "(" not in head)
    classes = {(*spaces, match[1]) for spaces, match in names if "::" not in match[1]}
    lines_of = collections.Counter()
    for spaces, head, lines in found:
        if name := owner(head, spaces, classes):
            lines_of[name] += lines
    return lines_of


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=ROOT / "src")
    parser.add_argument("--list", type=int, default=0, metavar="N")
    options = parser.parse_args()
    ordered = sorted(sizes(options.folder).items(), key=lambda item: (-item[1], item[0]))
    for name, lines in ordered[:options.list]:
        print(f"{lines:5} {'::'.join(name)}")
    found = [f"{'::'.join(name)}: {lines} lines, the limit is {LIMIT}" for name, lines in ordered if lines > LIMIT]
    print(*found, sep="\n", end="\n" if found else "", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

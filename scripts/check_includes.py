#!/usr/bin/env python3
"""Checks that every room of src/ includes only the rooms that it may.

The rule is the ROOMS list of each warpfork_room() in CMakeLists.txt, which repeats the include column of
ARCHITECTURE.md: a room may include itself, the rooms of its list, and what these may include. The unit tests of a room
follow the same rule, and may include the rooms of its TEST list (as warpfork_ROOM) besides. Libraries that belong to one
room or one source alone are checked as well.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIBRARY_PLACES = {"toml++": "src/config/", "CLI": "src/cli/command_line.cpp"}  # their headers are slow to compile


def direct_rules() -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Of each room, the rooms that it includes, and those that its tests include besides."""
    text = re.sub(r"#.*", "", (ROOT / "CMakeLists.txt").read_text())
    rules, tests = {}, {}
    for call in re.findall(r"warpfork_room\(([^)]*)\)", text):
        words = call.split()
        lists, keyword = {}, None
        for word in words[1:]:
            if word in ("ROOMS", "LIBRARIES", "TEST", "HEADERS", "HEADERS_OF", "SLOW"):
                keyword = word
            else:
                lists.setdefault(keyword, []).append(word)
        rules[words[0]] = lists.get("ROOMS", [])
        tests[words[0]] = [name[len("warpfork_"):] for name in lists.get("TEST", []) if name.startswith("warpfork_")]
    return rules, tests


def closure(room: str, rules: dict[str, list[str]]) -> set[str]:
    reached, waiting = set(), [room]
    while waiting:
        current = waiting.pop()
        if current not in reached:
            reached.add(current)
            waiting += rules[current]
    return reached


def faults(source: pathlib.Path, room: str, allowed: set[str], rooms: set[str]):
    for number, line in enumerate(source.read_text().splitlines(), 1):
        match = re.match(r'\s*#\s*include\s*[<"]([^">]+)[">]', line)
        if not match:
            continue
        first = match.group(1).split("/")[0]
        place = f"{source.relative_to(ROOT)}:{number}"
        if first in ("..", "."):
            yield f"{place}: include by a path from src/, not relative to this file"
        elif first in rooms and first not in allowed and "/" in match.group(1):
            yield f"{place}: room '{room}' may not include '{first}' (allowed: {', '.join(sorted(allowed - {room}))})"
        elif not place.startswith(LIBRARY_PLACES.get(first, "")):
            yield f"{place}: only {LIBRARY_PLACES[first]} may include {first}"


def main() -> int:
    rules, test_rules = direct_rules()
    found = []
    for room in rules:
        allowed = closure(room, rules)
        allowed_in_tests = allowed.union(*(closure(other, rules) for other in test_rules[room]))
        for folder, allowed in ((ROOT / "src" / room, allowed), (ROOT / "tests" / "unit" / room, allowed_in_tests)):
            for source in sorted(folder.rglob("*")):
                if source.suffix in (".h", ".cpp", ".def"):
                    found += faults(source, room, allowed, set(rules))
    unknown = [p.name for p in (ROOT / "src").iterdir() if p.is_dir() and any(p.rglob("*.cpp")) and p.name not in rules]
    found += [f"src/{name}: no warpfork_room({name} …) in CMakeLists.txt" for name in sorted(unknown)]
    print(*found, sep="\n", end="\n" if found else "", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

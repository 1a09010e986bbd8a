#!/usr/bin/env python3
"""Makes a graph file of the packages of a Debian release: nodes are packages, edges are dependencies.

Usage: apt-cache dumpavail | make_graph.py > data/debian-bookworm.graph

Nodes are the binary packages in alphabetical order. An edge leads from a package to each package named in its Depends or
Pre-Depends, alternatives ("a | b") included; names that are only virtual, and packages that occur twice (an update beside the
release; the first is kept), add nothing.

File: the eight bytes WFGRAPH1, then whole numbers, seven bits a byte, least significant first, the top bit set on
all but a number's last byte: the number of nodes, then for every node its out-degree and its targets in rising
order, the first as it is and the others as the distance to the one before.
"""
import re
import sys


def read_packages(stream):
    """Returns {package: text of its dependency fields}."""
    packages = {}
    for paragraph in stream.read().split("\n\n"):
        fields = dict(re.findall(r"^(Package|Depends|Pre-Depends): (.*)$", paragraph, re.MULTILINE))
        if "Package" in fields:
            needs = fields.get("Depends", "") + "," + fields.get("Pre-Depends", "")
            packages.setdefault(fields["Package"], needs)
    return packages


def encode(number):
    out = bytearray()
    while number >= 128:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return out


def main():
    packages = read_packages(sys.stdin)
    index = {name: i for i, name in enumerate(sorted(packages))}
    out = bytearray(b"WFGRAPH1") + encode(len(index))
    edges = 0
    for name in index:
        words = re.split(r"[,|]", packages[name])
        needed = {re.split(r"[\s:(]", word.strip())[0] for word in words} - {name}
        targets = sorted(index[other] for other in needed if other in index)
        edges += len(targets)
        out += encode(len(targets))
        for previous, target in zip([0] + targets, targets):
            out += encode(target - previous)
    sys.stdout.buffer.write(out)
    print(f"{len(index)} nodes, {edges} edges, {len(out)} bytes", file=sys.stderr)


if __name__ == "__main__":
    main()

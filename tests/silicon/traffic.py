"""What the simulator counts of a program's accesses to memory, in a GPU's sectors of 32 bytes."""
import json
import pathlib
import subprocess
import tempfile

SECTORS = ("--set", "core.l1d.line_bytes=32", "--set", "core.texture.line_bytes=32")
ACCESSES = {"ld.global": "global_load", "st.global": "global_store", "ld.shared": "shared_load", "st.shared": "shared_store"}


def access(ptx):
    """The kind of access that an instruction is; nothing for others. ld.volatile.shared counts as ld.shared."""
    opcode = ptx.split(None, 2)[1 if ptx.startswith("@") else 0].replace(".volatile", "")
    return ACCESSES.get(".".join(opcode.split(".")[:2]))


def traffic(warpfork, program, options=()):
    """Sums over all launches, by the names that record_counters.py gives them."""
    with tempfile.TemporaryDirectory() as folder:
        result = pathlib.Path(folder) / "result.json"
        command = [warpfork, "run", "--lines", "--json", result, *SECTORS, *options, program]
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        launches = json.loads(result.read_text())["launches"]
    sums = {"launches": len(launches)}
    for name in ("warp_instructions", "thread_instructions", "executed_thread_instructions"):
        sums[name] = sum(launch[name] for launch in launches)
    for kind in ACCESSES.values():
        sums[f"{kind}_requests"] = 0
        sums[f"{kind}_sectors" if kind.startswith("global") else f"{kind}_conflicts"] = 0
    for instruction in (i for launch in launches for i in launch["lines"]["instructions"]):
        kind = access(instruction["ptx"])
        if kind is None:
            continue
        if kind.startswith("global"):
            sums[f"{kind}_requests"] += instruction["requests"]
            sums[f"{kind}_sectors"] += instruction["transactions"]
        else:
            sums[f"{kind}_requests"] += instruction["shared_requests"]
            sums[f"{kind}_conflicts"] += instruction["conflict_rounds"]
    return sums

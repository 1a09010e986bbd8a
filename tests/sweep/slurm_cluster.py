"""A Slurm of three nodes on this machine, for tests: its daemons, and nothing of it left when they end.

All of it runs in a PID namespace whose first process dies with ours, whatever ends us: what a test forgot, or could no
longer stop, goes with it. Each node is a namespace within, so that to kill its first process powers the node off.
"""
import ctypes
import os
import pathlib
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol", "unshare")
NODES = ("node1", "node2", "node3")
CONFIGURATION = """ClusterName=local
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmUser=root
SlurmdUser=root
AuthInfo=socket={folder}/munge.socket,cred_expire=5
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1,sched_min_interval=0
ReturnToService=2
SlurmdTimeout=5
MessageTimeout=2
TCPTimeout=1
KillWait=2
MaxArraySize=10001
MaxJobCount=20000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
NODE = "NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=2 RealMemory=4096 State=UNKNOWN\n"


def why_not() -> str:
    """What is missing here for such a cluster; empty if nothing is."""
    missing = [name for name in PROGRAMS if shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin") is None]
    if missing:
        return f"{', '.join(missing)} not found: install slurmctld, slurmd, slurm-client and munge (./dev setup --all)"
    if os.geteuid() != 0:
        return "it needs root: Slurm's nodes are PID namespaces of their own"
    if subprocess.run(["unshare", "--fork", "--pid", "--mount-proc", "true"], capture_output=True).returncode != 0:
        return "this system lets nobody make PID namespaces"
    return ""


def enter_namespace() -> None:
    """Goes on as the child of a process that dies with its parent, within a PID namespace that dies with that."""
    if os.getpid() == 1:
        return
    process = subprocess.Popen(["unshare", "--fork", "--pid", "--kill-child=KILL", "--mount-proc", sys.executable, *sys.argv],
                               preexec_fn=die_with_parent)
    sys.exit(process.wait())


def die_with_parent() -> None:
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def free_ports(number: int) -> list[int]:
    sockets = [socket.socket() for _ in range(number)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def wait_until(holds, what: str, seconds: float = 60) -> None:
    last = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > last:
            raise TimeoutError(f"{what}: not within {seconds} s")
        time.sleep(0.02)


class Cluster:
    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        self.environment = os.environ | {"SLURM_CONF": str(folder / "slurm.conf"),
                                         "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin"}
        self.daemons: dict[str, subprocess.Popen] = {}
        for part in ("state", "spool"):
            (folder / part).mkdir()
        host, ports = socket.gethostname().split(".")[0], free_ports(1 + len(NODES))
        text = CONFIGURATION.format(host=host, folder=folder, port=ports[0])
        for node, port in zip(NODES, ports[1:]):
            text += NODE.format(node=node, host=host, port=port)
        (folder / "slurm.conf").write_text(text)

    def start(self) -> None:
        key = self.folder / "munge.key"
        key.write_bytes(secrets.token_bytes(128))
        key.chmod(0o400)
        words = ["munged", "--force", "--foreground", f"--key-file={key}", f"--socket={self.folder}/munge.socket",
                 f"--pid-file={self.folder}/munged.pid", f"--seed-file={self.folder}/munge.seed",
                 f"--log-file={self.folder}/munged.log"]
        self.daemon("munged", words)
        wait_until((self.folder / "munge.socket").exists, "munged")
        self.start_controller()
        for node in NODES:
            self.start_node(node)
        self.heal()

    def heal(self) -> None:
        """All nodes idle, whatever befell them."""
        def are_idle() -> bool:
            states = dict(line.split() for line in self.ask("sinfo", "-h", "-N", "-o", "%N %T").splitlines())
            for node, state in states.items():
                if "drain" in state or state == "down":
                    self.ask("scontrol", "update", f"NodeName={node}", "State=RESUME")
            return list(states.values()) == ["idle"] * len(NODES)
        wait_until(are_idle, "idle nodes")

    def daemon(self, name: str, words: list[str]) -> None:
        self.daemons[name] = subprocess.Popen(words, env=self.environment, stdin=subprocess.DEVNULL,
                                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                              preexec_fn=die_with_parent)

    def kill(self, name: str) -> None:
        """A node: as if its power were cut."""
        self.daemons[name].kill()
        self.daemons[name].wait()

    def stop(self) -> None:
        for name in self.daemons:
            self.kill(name)

    def start_controller(self) -> None:
        self.daemon("controller", ["slurmctld", "-D"])

    def start_node(self, name: str) -> None:
        self.daemon(name, ["unshare", "--fork", "--pid", "--kill-child=KILL", "--mount-proc", "slurmd", "-D", "-N", name])

    def ask(self, *words: str) -> str:
        return subprocess.run(words, env=self.environment, capture_output=True, text=True, check=False).stdout

    def jobs(self) -> list[str]:
        """Array tasks that have not ended, with their states."""
        return self.ask("squeue", "-h", "-r", "-o", "%i %T %N").splitlines()

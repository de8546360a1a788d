#!/usr/bin/env python3
"""Which functions does a program reach? Writes their names for crates/huntsman/build.rs, which lays them together.

    python3 tools/layout.py target/fast/huntsman crates/huntsman/layout.txt serve --listen 127.0.0.1:8787

Runs the program with a breakpoint at the beginning of each function and takes every one away where it is first reached.
Meanwhile use the server as it is used, for example with `bench/` or the benchmark `automate`; end it with Ctrl+C. Linux on
x86_64, a binary with symbols (profile `fast`), `nm`. Names already in the file stay, so that several uses add up; delete it
to begin anew.
"""
import ctypes
import os
import re
import signal
import subprocess
import sys

TRACEME, PEEK, POKE, CONT, GETREGS, SETREGS, DETACH, OPTIONS = 0, 1, 4, 7, 12, 13, 17, 0x4200
FORK, VFORK, CLONE, EXEC = 2, 4, 8, 16
RIP = 16  # its place in user_regs_struct, in words of 8 bytes
# What a generic name may add beyond what was reached, in bytes, for each function that was.
WASTE = 100_000

libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.restype = ctypes.c_long
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]


def pattern(name):
    """A symbol's name without what differs from compiler to compiler: hashes of functions and of crates."""
    name = re.sub(r"\.llvm\.\d+$", "", name)
    if name.startswith("_ZN"):
        return re.sub(r"17h[0-9a-f]{16}E.*$", "17h*", name)
    return re.sub(r"Cs[0-9A-Za-z]+_", "Cs*_", name) + "*" if name.startswith("_R") else name


def functions(binary):
    """Offset, size and name of every function."""
    told = subprocess.run(["nm", "--defined-only", "-S", "-n", binary], capture_output=True, text=True, check=True).stdout
    fields = (line.split() for line in told.splitlines())
    return [(int(it[0], 16), int(it[1], 16), it[3]) for it in fields if len(it) == 4 and it[2] in "tT"]


def reached(command, places):
    """Runs a program to its end; the places among these that it came by."""
    low, high = min(places), max(places) + 1
    child = os.fork()
    if not child:
        libc.ptrace(TRACEME, 0, None, None)
        os.execv(command[0], command)
    os.waitpid(child, 0)
    libc.ptrace(OPTIONS, child, None, FORK | VFORK | CLONE | EXEC)
    with open(f"/proc/{child}/maps") as maps:
        base = int(maps.readline().split("-")[0], 16)
    with open(f"/proc/{child}/mem", "r+b", buffering=0) as memory:
        memory.seek(base + low)
        before = bytearray()
        while len(before) < high - low:
            before += memory.read(high - low - len(before))
        text = bytearray(before)
        for place in places:
            text[place - low] = 0xCC
        memory.seek(base + low)
        done = 0
        while done < len(text):
            done += memory.write(text[done:])
    signal.signal(signal.SIGINT, lambda *_: os.kill(child, signal.SIGTERM))
    found, registers = set(), (ctypes.c_ulonglong * 27)()
    libc.ptrace(CONT, child, None, None)
    while True:
        thread, status = os.waitpid(-1, 0x40000000)
        if os.WIFEXITED(status) or os.WIFSIGNALED(status):
            if thread == child:
                return found
            continue
        told, event = os.WSTOPSIG(status), status >> 16
        if event:
            # Another program has nothing of ours in it.
            libc.ptrace(DETACH if 1 << event == EXEC else CONT, thread, None, None)
            continue
        if told == signal.SIGTRAP:
            libc.ptrace(GETREGS, thread, None, ctypes.addressof(registers))
            at = registers[RIP] - 1 - base
            if at in places:
                found.add(at)
                word = libc.ptrace(PEEK, thread, base + at, None) & 0xFFFFFFFFFFFFFF00 | before[at - low]
                libc.ptrace(POKE, thread, base + at, word & 0xFFFFFFFFFFFFFFFF)
                registers[RIP] -= 1
                libc.ptrace(SETREGS, thread, None, ctypes.addressof(registers))
                told = 0
        libc.ptrace(CONT, thread, None, 0 if told == signal.SIGSTOP else told)


def main():
    binary, file, rest = sys.argv[1], sys.argv[2], sys.argv[3:]
    every = functions(binary)
    found = reached([binary, *rest], {at for at, _, _ in every})
    hit, matched, times = {}, {}, {}
    for at, size, name in every:
        name = pattern(name)
        matched[name] = matched.get(name, 0) + size
        if at in found:
            hit[name] = hit.get(name, 0) + size
            times[name] = times.get(name, 0) + 1
    names = {name for name in hit if matched[name] - hit[name] <= WASTE * times[name]}
    if os.path.exists(file):
        with open(file) as known:
            names |= {line.strip() for line in known if not line.startswith("#")}
    with open(file, "w") as out:
        out.write("# Functions that a running server reaches; written by tools/layout.py\n")
        out.writelines(f"{name}\n" for name in sorted(names))
    print(f"{len(found)} functions reached, {len(names)} names in {file}", file=sys.stderr)


if __name__ == "__main__":
    main()

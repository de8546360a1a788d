#!/usr/bin/env python3
"""Which functions does a program reach? Writes globs of their names for crates/huntsman/build.rs, which lays them together.

    CARGO_PROFILE_RELEASE_STRIP=none cargo build --release
    python3 tools/layout.py target/release/huntsman crates/huntsman/layout.txt serve --listen 127.0.0.1:8787

Runs the program with a breakpoint at the beginning of each function and takes every one away where it is first reached.
Meanwhile use the server as it is used, for example with the benchmark `automate`; end it with Ctrl+C. Linux on x86_64, a
binary with symbols, `nm`. What the file has already stays, so that several uses add up; delete it to begin anew.
"""
import collections
import ctypes
import heapq
import os
import re
import signal
import subprocess
import sys

TRACEME, PEEK, POKE, CONT, GETREGS, SETREGS, DETACH, OPTIONS = 0, 1, 4, 7, 12, 13, 17, 0x4200
FORK, VFORK, CLONE, EXEC = 2, 4, 8, 16
RIP = 16  # its place in user_regs_struct, in words of 8 bytes
# Identifiers that one glob has at most.
LENGTH = 4
# How much of what a glob names must have been reached, by size.
SHARE = 0.5
# What a glob may name besides, in bytes, for each function that was reached: a quarter of what the system brings in around
# one that lies elsewhere.
WASTE = 1 << 14

# In a mangled name: the hash of a crate, a reference back, a disambiguator; and what stands before an identifier.
SKIPPED = re.compile(r"(?:Cs|B|s)[0-9A-Za-z]*_")
LENGTH_OF_NAME = re.compile(r"([1-9]\d*)_?")

libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.restype = ctypes.c_long
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]


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


def identifiers(symbol):
    """The identifiers of a symbol of Rust's mangling v0, each behind its length, in order; of another one the symbol.

    What differs from build to build, the hashes of crates (Cs..._), back references (B..._) and what LLVM appends, is no
    identifier. https://doc.rust-lang.org/rustc/symbol-mangling/v0.html
    """
    if not symbol.startswith("_R"):
        return (symbol,)
    found, at = [], 2
    symbol = re.sub(r"\.llvm\.\d+$", "", symbol)
    while at < len(symbol):
        if skipped := SKIPPED.match(symbol, at):
            at = skipped.end()
        elif named := LENGTH_OF_NAME.match(symbol, at):
            end = named.end() + int(named[1])
            found.append(symbol[at:end])
            at = end
        else:
            at += 1
    return tuple(found)


def runs(words):
    """Every run of up to LENGTH words, and all of them."""
    for length in range(1, LENGTH + 1):
        for at in range(len(words) - length + 1):
            yield words[at : at + length]
    yield words


def glob(words):
    """What the linker matches names with."""
    return "*".join(words) if not words[0][0].isdigit() else f"_R*{'*'.join(words)}*"


def chosen(every, found, known):
    """The globs that lay together what was found with little else, greedily; those that are known first."""
    words = [identifiers(name) for _, _, name in every]
    wanted = [at in found for at, _, _ in every]
    of_run = collections.defaultdict(set)
    for number, it in enumerate(words):
        if wanted[number]:
            for run in runs(it):
                of_run[run] = set()
    for number, it in enumerate(words):
        for run in runs(it):
            if run in of_run:
                of_run[run].add(number)
    laid, globs = set(), list(known)
    for run, numbers in of_run.items():
        if glob(run) in known:
            laid |= numbers

    def gain(run):
        """Bytes reached and not, and the number of functions reached, of what is not laid yet."""
        left = [it for it in of_run[run] if it not in laid]
        hits = [every[it][1] for it in left if wanted[it]]
        return sum(hits), sum(every[it][1] for it in left) - sum(hits), len(hits)

    def take(order, worth):
        """Takes the runs that are worth it, the first in order first."""
        waiting = [(order(*gain(run)), len(glob(run)), run) for run in of_run if gain(run)[2]]
        heapq.heapify(waiting)
        while waiting:
            place, length, run = heapq.heappop(waiting)
            now = gain(run)
            if not now[2]:
                continue
            if order(*now) > place:
                heapq.heappush(waiting, (order(*now), length, run))
            elif worth(*now):
                globs.append(glob(run))
                laid.update(of_run[run])

    # First what was reached as a whole or nearly so, the largest first; then what is worth its waste.
    take(lambda hit, waste, count: -hit, lambda hit, waste, count: hit >= SHARE * (hit + waste))
    take(lambda hit, waste, count: waste / count, lambda hit, waste, count: waste < WASTE * count)
    return globs, sum(every[it][1] for it in laid)


def main():
    binary, file, rest = sys.argv[1], sys.argv[2], sys.argv[3:]
    every = functions(binary)
    found = reached([binary, *rest], {at for at, _, _ in every})
    known = {}
    if os.path.exists(file):
        with open(file) as lines:
            known = dict.fromkeys(line.strip() for line in lines if not line.startswith("#"))
    globs, laid = chosen(every, found, known)
    with open(file, "w") as out:
        out.write("# What a running server reaches; written by tools/layout.py\n")
        out.writelines(f"{it}\n" for it in globs)
    size = sum(size for at, size, _ in every if at in found)
    print(f"{len(found)} functions of {size} bytes reached, {len(globs)} globs of {laid} bytes in {file}", file=sys.stderr)


if __name__ == "__main__":
    main()

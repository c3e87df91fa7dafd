"""A suite in which everything that can go wrong does, one case each, between cases that are fine.

Which faults take part is chosen by the environment variable HOSTILE (names, comma-separated).
"""

import contextlib
import ctypes
import os
import signal
import sys
import time

from kreport import Suite


def one(_shape):
    return [1.0]


def fine(x):
    return x + 1.0


def segfault(_x):
    ctypes.string_at(0)


def hang(_x):
    while True:
        time.sleep(0.05)


def eat_memory(x):
    pieces = []
    while True:
        pieces.append(bytearray(64 << 20))


def killed(_x):
    os.kill(os.getpid(), signal.SIGKILL)


def leave(_x):
    os._exit(7)


def exit_politely(_x):
    sys.exit(3)


def raise_an_error(_x):
    raise RuntimeError("error: lowering failed\n  %3 = tile.load : unsupported")


def curse(_x):
    raise ValueError('lone \udcff, NUL \x00, bell \x07,\r\nquote " and comma')


ruined = False


def ruin_the_device(_x):
    """Fails and leaves a device on which nothing works any more in this process."""
    global ruined  # noqa: PLW0603
    ruined = True
    raise RuntimeError("device-side assert")


def wait_for_the_device():
    if ruined:
        raise RuntimeError("device-side assert, from an earlier call")


def print_garbage(x):
    os.write(1, b"\x00\xff garbage \x1b[31m\n")
    return x + 1.0


def flood(_x):
    while True:
        os.write(1, b"x" * (1 << 20))


def scribble(x):
    """Write into every descriptor there is, the harness's own channel with them."""
    for descriptor in range(3, 64):
        with contextlib.suppress(OSError):
            os.write(descriptor, b"\x00 not a message\n")
    return x + 1.0


def wrong(x):
    return x + 2.0


def nonsense(_x):
    return "garbage"


calls = 0


def fail_late(x):
    """Runs, passes its check, then raises while it is timed."""
    global calls  # noqa: PLW0603
    calls += 1
    if calls > 6:
        raise ValueError(f"call {calls}")
    return x + 1.0


def no_inputs(_shape):
    raise FileNotFoundError("weights.bin")


def broken_check(_expected, _actual):
    raise KeyError("tolerance")


suite = Suite("hostile", warmup=1, repeats=12, sync=wait_for_the_device)
FAULTS = {
    function.__name__: {"pto": function}
    for function in (
        segfault,
        hang,
        eat_memory,
        killed,
        leave,
        exit_politely,
        raise_an_error,
        curse,
        ruin_the_device,
        print_garbage,
        flood,
        scribble,
        wrong,
        nonsense,
        fail_late,
    )
} | {
    "segfault_of_the_baseline": {"baseline": segfault},
    "no_inputs": {"inputs": no_inputs},
    "broken_check": {"check": broken_check},
    "no_reference": {"reference": raise_an_error},
    "no_port": {"pto": None, "pto_reason": "not ported yet"},
}

suite.case("good", "first", {"x": 1}, inputs=one, baseline=fine, pto=fine)
for name in filter(None, os.environ.get("HOSTILE", "").split(",")):
    parts = {"inputs": one, "baseline": fine, "pto": fine, **FAULTS[name]}
    suite.case("bad", name, {"x": 1}, **parts)
suite.case("good", "last", {"x": 1}, inputs=one, baseline=fine, pto=fine)

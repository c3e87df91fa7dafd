"""What a run was measured on and with, recorded beside its samples."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Mapping
from pathlib import Path

from kreport import __version__

_LIBRARIES = ("numpy", "torch", "triton", "torch_npu")


def processor_name() -> str:
    """The processor as the system calls it: the device of a suite that runs on the host."""
    try:
        for line in Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines():
            if line.startswith("model name"):
                return " ".join(line.partition(":")[2].split())
    except OSError:
        pass
    return platform.processor() or platform.machine()


def environment() -> dict[str, object]:
    """Machine, interpreter and the versions of what the suite has imported, ready for JSON."""
    return {
        "kreport": __version__,
        "python": platform.python_version(),
        "system": platform.platform(),
        "processor": processor_name(),
        "processors": os.cpu_count(),
        "load_average": list(os.getloadavg()),
        "libraries": dict(library_versions()),
    }


def library_versions() -> Mapping[str, str]:
    """Versions of the numerical libraries that are imported already; none is imported for this."""
    return {
        name: str(getattr(sys.modules[name], "__version__", "unknown"))
        for name in _LIBRARIES
        if name in sys.modules
    }

"""The run contract: limits, progress, Ctrl-C, workers and checkpoints, for every engine alike."""

from gridkit.run.control import (
    Limit,
    Partial,
    Progress,
    ProgressCallback,
    Resumable,
    drive,
    drive_found,
)

__all__ = [
    "Limit",
    "Partial",
    "Progress",
    "ProgressCallback",
    "Resumable",
    "drive",
    "drive_found",
]

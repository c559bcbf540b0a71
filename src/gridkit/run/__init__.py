"""The run contract: limits, progress, Ctrl-C, workers and checkpoints, for every engine alike."""

from gridkit.errors import Partial, Token
from gridkit.run.control import Resumable, Run, drive, drive_found
from gridkit.run.limits import Limit, Progress, ProgressCallback, Tier, use_tier
from gridkit.run.work import Work, call_name

__all__ = [
    "Limit",
    "Partial",
    "Progress",
    "ProgressCallback",
    "Resumable",
    "Run",
    "Tier",
    "Token",
    "Work",
    "call_name",
    "drive",
    "drive_found",
    "use_tier",
]

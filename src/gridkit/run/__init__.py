"""The run contract: limits, progress, Ctrl-C, workers and checkpoints, for every engine alike."""

from gridkit.errors import Partial, Token
from gridkit.run.control import Run
from gridkit.run.limits import Limit, Progress, ProgressCallback, Tier, use_tier
from gridkit.run.work import Work, call_name

__all__ = [
    "Limit",
    "Partial",
    "Progress",
    "ProgressCallback",
    "Run",
    "Tier",
    "Token",
    "Work",
    "call_name",
    "use_tier",
]

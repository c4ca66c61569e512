"""What runs in a process that ranks for another: see `holdem.evaluation.processes`."""

from __future__ import annotations

import os
import queue
import sys
import threading
import time
import warnings
from typing import BinaryIO

import numpy as np

from holdem.errors import error_text
from holdem.evaluation.processes import (
    FAILED,
    READY,
    STRENGTHS,
    read_frame,
    scale_digest,
    write_frame,
)
from holdem.evaluation.registry import get_evaluator

_Inbox = queue.SimpleQueue[tuple[int, bytes]]


def main(name: str) -> None:
    """Rank with the evaluator of that name what comes in, until nobody is there any more."""
    requests, answers = _own_pipes()
    warnings.simplefilter("ignore")  # the parent has told them
    inbox: _Inbox = queue.SimpleQueue()
    # A thread of its own reads, so that the parent's end is heard while hands are ranked.
    threading.Thread(target=_listen, args=(requests, inbox), daemon=True).start()
    if hasattr(os, "getppid"):
        threading.Thread(target=_watch, args=(os.getppid(),), daemon=True).start()
    try:
        evaluator = get_evaluator(name)
        write_frame(answers, READY, scale_digest(evaluator).encode())
        while True:
            cards, content = inbox.get()
            hands = np.frombuffer(content, dtype=np.uint8).reshape(-1, cards)
            try:
                strengths = evaluator.rank(hands).astype(np.int64)
            except Exception as error:
                write_frame(answers, FAILED, error_text(error).encode())
            except KeyboardInterrupt as error:  # its own: Ctrl-C goes to another group
                failed = f"evaluator {name!r} failed: {error_text(error)}"
                write_frame(answers, FAILED, failed.encode())
            else:
                write_frame(answers, STRENGTHS, strengths.tobytes())
    except OSError:  # the parent has gone
        os._exit(0)
    except (Exception, KeyboardInterrupt) as error:
        write_frame(answers, FAILED, error_text(error).encode())


def _own_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Take the pipes to the parent away from 0 and 1, where an evaluator may read and print."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return requests, answers


def _listen(requests: BinaryIO, inbox: _Inbox) -> None:
    try:
        while True:
            _, cards, content = read_frame(requests)
            inbox.put((cards, content))
    except (EOFError, OSError):
        os._exit(0)


def _watch(parent: int) -> None:
    """End with the parent even where a copy of its pipes lives on in another process."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(0)

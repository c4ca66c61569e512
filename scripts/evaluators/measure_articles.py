"""Time the articles' own code beside the plugins, on the same hands, and write the table of both.

    python scripts/evaluators/measure_articles.py FILE...    # a minute

Each file is the text of an article, as copied from its web page. The script cuts the code out of it
and runs it unchanged: JavaScript by ``node``, C by ``gcc``, and C# whose words C has, too, also by
``gcc``. The tables that the C code leaves out come from the plugin. *DeadHorseEval* gives its steps
in prose, so they are written in C here. A row without its program or its article says so.

Article and plugin take turns, 15 times, with a million random hands of five (or as many masks of
one card) and one untimed pass before. Times are those of the processor; the table has medians. All
answers of both are compared. The table goes to ``docs/evaluators/methods.md``.
"""

from __future__ import annotations

import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

import holdem
import holdem_cactus_kev.kernel
import holdem_dead_horse.kernel
from holdem.evaluation.conformance.hands import random_hands
from holdem.report.markup import markdown_table
from holdem_bitwise import batch, kernel
from holdem_cactus_kev import tables as cactus_kev
from holdem_dead_horse import tables as dead_horse
from holdem_suit_mask.conversions import shifting
from measure_suit_mask import over_all
from plugin_figures import COUNT, write_block

PAGE = Path(__file__).parents[2] / "docs" / "evaluators" / "methods.md"
COMMAND = "python scripts/evaluators/measure_articles.py"
ROUNDS = 15

#: Around the article's JavaScript: a page that keeps what is written to it, and the passes.
JAVASCRIPT = """
const fs = require("fs"), [input, output] = process.argv.slice(2);
let written = "";
const document = { write: text => { written = text; } };
%s
const bytes = fs.readFileSync(input), count = bytes.length / 10;
const ranks = [], suits = [];
for (let i = 0; i < count; i++) {
  ranks.push(Array.from(bytes.subarray(10 * i, 10 * i + 5)));
  suits.push(Array.from(bytes.subarray(10 * i + 5, 10 * i + 10)));
}
const names = new Array(count);
let used = 0;
for (let pass = 0; pass < 2; pass++) {
  const begun = process.cpuUsage();
  for (let i = 0; i < count; i++) {
    rankPokerHand(ranks[i], suits[i]);
    if (pass == 0) names[i] = written;
  }
  used = process.cpuUsage(begun);
}
const name = text => text.replace(/^Hand: /, "").replace(/( \\(Ace low\\))?<br\\/>$/, "");
fs.writeFileSync(output, Uint8Array.from(names, text => hands.indexOf(name(text))));
console.log((used.user + used.system) / 1e6);
"""

#: Around C code: input and output types, numbers in a hand, the call for the hand at `h`.
C = """
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
%(code)s
int main(int argc, char **argv) {
  static %(given)s input[%(size)d * %(count)d];
  static %(answer)s output[%(count)d];
  FILE *file = fopen(argv[1], "rb");
  if (fread(input, sizeof input, 1, file) != 1) return 1;
  clock_t begun;
  for (int pass = 0; pass < 2; pass++) {
    begun = clock();
    for (long i = 0; i < %(count)d; i++) {
      %(given)s *h = input + %(size)d * i;
      output[i] = %(call)s;
    }
  }
  printf("%%f\\n", (double)(clock() - begun) / CLOCKS_PER_SEC);
  file = fopen(argv[2], "wb");
  return fwrite(output, sizeof output, 1, file) != 1;
}
"""

#: The steps of *DeadHorseEval*, to a category of the plugin: the article has no function.
DEAD_HORSE = """
static int dead_horse(const int32_t *h) {
  int any = h[0] | h[1] | h[2] | h[3] | h[4], ranks = any & 8191;
  int odd = (h[0] ^ h[1] ^ h[2] ^ h[3] ^ h[4]) & 8191;
  int straight = 32624896 % ranks == 0, flush = 65536 % (any & ~8191) == 0;
  if (straight || flush) return straight && flush ? 8 : flush ? 5 : 4;
  int count = __builtin_popcount(ranks) + __builtin_popcount(odd);
  if (count != 3) return count == 7 ? 1 : count == 4 ? 2 : count == 6 ? 3 : 0;
  int sum = 0;
  for (int i = 0; i < 5; i++) sum += h[i] & 8191;
  return sum == 4 * (ranks ^ odd) + odd ? 7 : 6;
}
"""


@attrs.frozen
class Contest:
    """An article's code and a plugin, with the same hands."""

    evaluator: str
    about: str
    program: str
    """The command that must be installed."""
    source: str | None
    """The whole program, or None if no file has the article's code."""
    given: NDArray[Any]
    """What the program reads."""
    answer: type[np.generic]
    """The type of its answers."""
    plugin: Callable[[], NDArray[Any]]
    same: Callable[[NDArray[Any]], NDArray[Any]]
    """From the plugin's results to the program's answers."""


def cut(texts: list[str], pattern: str) -> str | None:
    """Return the last match of a pattern in the articles."""
    found = [match[0] for text in texts for match in re.finditer(pattern, text, re.S | re.M)]
    return found[-1] if found else None


def _c(code: str | None, given: str, size: int, answer: str, call: str) -> str | None:
    values = {"given": given, "size": size, "answer": answer, "call": call, "count": COUNT}
    return code and C % {"code": code, **values}


def _array(kind: str, name: str, values: NDArray[Any]) -> str:
    return f"{kind} {name}[] = {{{','.join(map(str, values.tolist()))}}};\n"


def contests(texts: list[str]) -> Iterator[Contest]:
    """Yield one contest for each method."""
    hands = random_hands(holdem.get_evaluator("lookup").rules, 5, COUNT, seed=5)
    fields = np.concatenate([(hands >> 2) + 2, 1 << (hands & 3)], axis=1).astype(np.uint8)
    code = cut(texts, r'^hands ?= ?\["4 of a Kind", "Straight Flush".*?^\}')
    yield Contest(
        *("bitwise", "JavaScript; names the hand", "node"),
        code and JAVASCRIPT % code,
        fields,
        np.uint8,
        lambda: batch.rank_batch(hands),
        _name_indices,
    )
    masks = np.uint64(1) << (np.uint64(16) * (hands[:, 0] % 4) + hands[:, 0] // 4)
    indices, convert = np.empty_like(masks), over_all(shifting, vectorized=True)
    code = cut(texts, r"^public static ulong BitMaskToBitIndex.*?^\}")
    words = "#define public\n#define ulong uint64_t\n#define var uint64_t\n"
    yield Contest(
        *("suit-mask", "C#, compiled as C; a mask to an index, without branches", "gcc"),
        _c(code and words + code, "uint64_t", 1, "uint64_t", "BitMaskToBitIndex(*h)"),
        masks,
        np.uint64,
        lambda: (convert(masks, indices), indices)[1],
        lambda found: found,
    )
    arrays = _array("short", "flushes", cactus_kev.FLUSHES)
    arrays += _array("short", "unique5", cactus_kev.UNIQUE5)
    arrays += _array("int", "products", cactus_kev.PRODUCTS)
    arrays += _array("short", "values", cactus_kev.VALUES)
    code = cut(texts, r"^int findit\(.*?^\}.*?^eval_5cards\(.*?^\}")
    yield Contest(
        *("cactus-kev", "C; ranks the hand, with the binary search", "gcc"),
        _c(code and arrays + code, "int", 5, "short", "eval_5cards(h[0], h[1], h[2], h[3], h[4])"),
        cactus_kev.CARDS[hands],
        np.int16,
        lambda: holdem_cactus_kev.kernel.rank_batch(hands),
        lambda found: 7463 - found,
    )
    yield Contest(
        *("dead-horse", "its steps in C; finds the category", "gcc"),
        _c(DEAD_HORSE, "int32_t", 5, "uint8_t", "dead_horse(h)"),
        dead_horse.CARDS[hands].astype(np.int32),
        np.uint8,
        lambda: holdem_dead_horse.kernel.rank_batch(hands),
        lambda found: found >> 27,
    )


def _name_indices(strengths: NDArray[np.int32]) -> NDArray[Any]:
    """Return the indices in the article's list of names, of strengths of the plugin."""
    values, places = np.unique(strengths, return_inverse=True)
    names = (kernel.name_of_strength(value) for value in values.tolist())
    indices = [kernel.NAMES.index(name.removesuffix(" (Ace low)")) for name in names]
    return np.array(indices)[places]


def measure(contest: Contest, folder: Path) -> list[str]:
    """Return the row of a contest."""
    row = [f"`{contest.evaluator}`", contest.about]
    if contest.source is None:
        return [*row, "no file has its code", "", ""]
    if shutil.which(contest.program) is None:
        return [*row, f"{contest.program} is not installed", "", ""]
    given, answers = folder / "given", folder / "answers"
    given.write_bytes(np.ascontiguousarray(contest.given).tobytes())
    if contest.program == "gcc":
        (folder / "code.c").write_text(contest.source, encoding="utf-8")
        options = ["-O3", "-march=native", "-w", str(folder / "code.c"), "-o", str(folder / "code")]
        subprocess.run(["gcc", *options], check=True)
        command = [str(folder / "code")]
    else:
        (folder / "code.js").write_text(contest.source, encoding="utf-8")
        command = [contest.program, str(folder / "code.js")]
    contest.plugin()
    theirs, ours = [], []
    for _ in range(ROUNDS):
        done = subprocess.run(
            [*command, str(given), str(answers)], stdout=subprocess.PIPE, text=True, check=True
        )
        theirs.append(float(done.stdout))
        begun = time.thread_time()
        found = contest.plugin()
        ours.append(time.thread_time() - begun)
    different = np.count_nonzero(np.fromfile(answers, contest.answer) != contest.same(found))
    median = statistics.median(theirs)
    figures = COUNT / median / 1e6, median / statistics.median(ours)
    shown = (f"{figure:.1f}" if figure < 10 else f"{figure:.0f}" for figure in figures)
    return [*row, *shown, f"{different:,}"]


def table(texts: list[str]) -> str:
    """Return the table as Markdown."""
    with tempfile.TemporaryDirectory() as folder:
        rows = [measure(contest, Path(folder)) for contest in contests(texts)]
    versions = [
        f"{name} {subprocess.run([name, option], capture_output=True, text=True).stdout.strip()}"
        for name, option in (("node", "--version"), ("gcc", "-dumpfullversion"))
        if shutil.which(name)
    ]
    head = [
        "evaluator",
        "the article's code",
        "fives, M/s",
        "plugin, times as fast",
        "different answers",
    ]
    return f"{markdown_table(head, rows, left=2)}\n\nPrograms: {', '.join(versions)}."


def main() -> None:
    """Write the table to the page."""
    if not sys.argv[1:]:
        sys.exit(f"{COMMAND}: give the files with the articles' text")
    found = table([Path(name).read_text(encoding="utf-8") for name in sys.argv[1:]])
    print(found)
    write_block(PAGE, COMMAND, found)


if __name__ == "__main__":
    main()

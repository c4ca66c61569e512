"""Ask `Range` what the tests of other programs ask, and print each answer that is another one.

    python scripts/checks/check_range_suites.py FOLDER...

Each FOLDER is a checkout of one of these repositories of GitHub, or holds such folders:

    pokerregion/poker  JulianAndrews/pyeval7  uoftcprg/pokerkit  elliottneilclark/rs-poker
    b-inary/postflop-solver

Nothing of theirs is run. Tests in Python are read as syntax trees, tests in Rust by regular
expressions: what they ask about ranges, and a little about equities and hands, is asked of this
package, and the rest is passed over. Where they print another text, both are read as ranges.
"""

from __future__ import annotations

import ast
import doctest
import math
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import holdem

# Why an expectation fails: what came instead, a pattern of what was asked, and the reason.
_REASONS = (
    ("another", r"\b(AK|KQ|QJ|JT|T9|98|87|76|65|54|43|32)[so]?\+", "T9s+ climbs there"),
    ("another", "KX", "KX is K2 to KQ there, and with AK here"),
    ("another", "", "real disagreement"),
    ("refused", r"\w\w-\w\ws", "their syntax (one s for both ends of a dash) is not in ours"),
    ("refused", "", "their syntax is not in ours"),
    ("a range", "", "refused there, a range here"),
)

# What a test expects, with what came instead, or "" where it holds.
Expectation = tuple[str, str]


class NotAskedError(Exception):
    """The code is not about ranges, hands or equities."""


def expect(asked: str, test: Callable[[], Any], *, is_refused: bool = False) -> Expectation:
    """Expect that `test` is true, or that it is refused."""
    try:
        is_true = bool(test())
    except holdem.HoldemError as error:
        return asked, "" if is_refused else f"refused: {error}".splitlines()[0]
    return asked, "a range" if is_refused else "" if is_true else "another answer"


def as_range(value: Any) -> holdem.Range:
    """Return the range that text, two cards, pairs of text and weight, or a list of these mean."""
    if isinstance(value, holdem.Range):
        return value
    if not isinstance(value, (str, list)) or value[:1] == "#":  # eval7's comment
        raise NotAskedError
    if isinstance(value, str):
        text = re.sub(r"^Range\('(.*)'\)$", r"\1", value)  # poker's repr
        return holdem.Range(re.sub(r"([2-9TJQKA]{2})[np]\b", r"\1", text))  # eval7's AKn and 22p
    if len(value) == 2 and isinstance(value[1], float):
        return holdem.Range(f"{as_range(value[0])}:{value[1]}")
    if re.fullmatch(r"\['..', '..'\]", str(value)) and value[0][1] in "cdhs":
        return holdem.Range("".join(value))
    union = holdem.Range("")
    for item in value:
        union |= as_range(item)
    return union


def equities(players: list[Any], board: list[str] | str, *_: Any) -> list[float]:
    """Return the exact equity of each player."""
    result = holdem.equity(*map(as_range, players), board="".join(board))
    return [player.equity or 0 for player in result.players]


def category(cards: str) -> str:
    """Return a category as eval7 spells it."""
    name = holdem.evaluate(cards).category.title()
    return {"Three Of A Kind": "Trips", "Four Of A Kind": "Quads"}.get(name, name)


def is_equal(left: Any, right: Any, within: float = 1e-7) -> bool:
    """Tell whether two answers are the same."""
    if left == right:
        return True
    if isinstance(left, float) and isinstance(right, float):
        return abs(left - right) < within
    if isinstance(left, list) and left and isinstance(left[0], float):
        return all(is_equal(*pair, within) for pair in zip(left, right, strict=True))
    return as_range(left) == as_range(right)


# What functions of the suites are here, by the last part of their names.
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    **dict.fromkeys(["parse", "map", "set", "frozenset", "Card"], lambda *args: args[-1]),
    **dict.fromkeys(["Range", "HandRange", "parse_range"], lambda *texts: as_range([*texts])),
    **dict.fromkeys(["Hand", "Combo", "from_objects", "str", "repr"], as_range),
    **dict.fromkeys(["string_to_hands", "string_to_tokens", "tokens_to_string"], as_range),
    **dict.fromkeys(["token_to_hands", "normalize_token"], as_range),
    "tuple": lambda *args: args[-1] if args else [],
    "len": lambda value: float(len(value)),
    "bool": lambda value: len(value) > 0,
    "sum": math.fsum,
    "validate_string": lambda text: len(as_range(text)) > 0,
    "weight_to_float": lambda parts: as_range("".join(parts) + "(AcAd)").weight("AcAd"),
    "expand_handtype_group": lambda parts: as_range("".join(parts)),
    "calculate_equities": equities,
    "py_hand_vs_range_exact": lambda hand, villain, board: equities([hand, villain], board)[0],
    "py_hand_vs_range_monte_carlo": lambda *args: equities([*args[:2]], args[2])[0],
    "evaluate": lambda cards: {"".join(cards)},
    "handtype": lambda hand: category(*hand),
}
# A range is less than another if it has fewer combos.
_COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: is_equal,
    ast.Is: is_equal,
    ast.NotEq: lambda left, right: not is_equal(left, right),
    ast.In: lambda left, right: set(as_range([left])) <= set(as_range(right)),
    ast.Lt: lambda left, right: len(left) < len(right),
    ast.Gt: lambda left, right: len(left) > len(right),
}


class Reader:
    """What a module in Python asks, read from its syntax tree."""

    def __init__(self) -> None:
        """Know the constants that the tests import."""
        self.names: dict[str, Any] = {"PAIR_HANDS": holdem.Range("22+")}

    def value(self, node: ast.AST) -> Any:
        """Return the value of an expression."""
        match node:
            case ast.Constant(value=bool() | str() as value):
                return value
            case ast.Constant(value=int() | float() as number):
                return float(number)
            case ast.Name(id=name) if name in self.names:
                return self.names[name]
            case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Set(elts=items):
                return [self.value(item) for item in items]
            case ast.Attribute(value=of, attr="hands"):
                return as_range([combo.class_name for combo in self.value(of)])
            case ast.Attribute(value=of, attr="combos" | "rep_pieces"):
                return self.value(of)
            case ast.Attribute(value=of, attr="percent"):
                return round(len(self.value(of)) / 13.26, 2)
            case ast.Subscript(value=of, slice=key):
                return self.value(of)[int(self.value(key))]
            case ast.BinOp(left=left, op=op, right=right):
                one, other = as_range(self.value(left)), as_range(self.value(right))
                return one - other if isinstance(op, ast.Sub) else one | other
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return not self.value(operand)
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return _COMPARISONS[type(op)](self.value(left), self.value(right))
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=arguments) if (
                name in _FUNCTIONS
            ):
                used = {"map": arguments[-1:], "calculate_equities": arguments[:2]}
                return _FUNCTIONS[name](*map(self.value, used.get(name, arguments)))
            case ast.Call(func=ast.Attribute(attr="assertTrue" | "assertFalse"), args=[only]):
                return self.value(only)
            case ast.Call(func=ast.Attribute(attr=name), args=[left, right]) if (
                name[:6] == "assert"
            ):
                within = [self.value(word.value) for word in node.keywords if word.arg == "delta"]
                return is_equal(self.value(left), self.value(right), *within)
        raise NotAskedError

    def matches(self, text: str, want: Any, within: float) -> bool:
        """Tell whether an expression has the value that is wanted."""
        return is_equal(self.value(ast.parse(text, mode="eval").body), want, within)

    def ask(self, body: list[ast.stmt], *, is_refused: bool = False) -> Iterator[Expectation]:
        """Yield what the statements expect, in order."""
        for node in body:
            try:
                match node:
                    case ast.Assign(targets=[ast.Name(id=name)], value=value):
                        self.names.pop(name, None)
                        self.names[name] = self.value(value)
                    case ast.Assert(test=test) | ast.Expr(value=test):
                        asked = ast.unparse(test)
                        for word in {w.id for w in ast.walk(test) if isinstance(w, ast.Name)}:
                            if word.islower() and word in self.names:
                                asked += f"  {word}: {self.names[word]}"[:90]
                        yield expect(
                            asked,
                            partial(self.value, test),
                            is_refused=is_refused or "assertFalse" in asked,
                        )
                    case ast.With(items=[item], body=inner):
                        yield from self.ask(inner, is_refused="aises" in ast.unparse(item))
                    case ast.For(target=target, iter=items, body=inner):
                        names = [w.id for w in ast.walk(target) if isinstance(w, ast.Name)]
                        for case in self.value(items):
                            values = case if len(names) > 1 else [case]
                            self.names.update(zip(names, values, strict=True))
                            yield from self.ask(inner)
                    case ast.FunctionDef(body=inner, decorator_list=[]) | ast.ClassDef(body=inner):
                        yield from self.ask(inner)
            except NotAskedError:
                pass


def read_python(source: str) -> Iterator[Expectation]:
    """Yield what a module of tests expects."""
    return Reader().ask(ast.parse(source).body)


def read_doctests(source: str) -> Iterator[Expectation]:
    """Yield what examples expect; equities of theirs from n samples may be off by 2 / sqrt(n)."""
    reader = Reader()
    for example in doctest.DocTestParser().get_examples(source):
        shown = [node for node in ast.walk(ast.parse(example.source)) if isinstance(node, ast.stmt)]
        list(reader.ask([node for node in shown if isinstance(node, ast.Assign)]))
        asked = ast.unparse(shown[-1])
        samples = re.search(r"sample_count=(\d+)", asked)
        within = 2 / math.sqrt(int(samples[1])) if samples else 1e-7
        combos = ["".join(pair) for pair in re.findall(r"\{(\w\w), (\w\w)\}", example.want)]
        try:
            want = combos or reader.value(ast.parse(example.want.strip(), mode="eval").body)
            yield expect(asked, partial(reader.matches, asked, want, within))
        except (NotAskedError, SyntaxError):
            pass


def expect_same(one: str, other: str) -> Expectation:
    """Expect two texts to be the same range."""
    return expect(f"{one} = {other}", lambda: as_range(one) == as_range(other))


def expect_size(text: str, size: int | None, *, is_refused: bool = False) -> Expectation:
    """Expect so many combos, or any number if `size` is None."""
    return expect(
        f"{text}: {'refused' if is_refused else size or 'read'}",
        lambda: len(as_range(text)) == size or size is None,
        is_refused=is_refused,
    )


def read_rs_poker(source: str) -> Iterator[Expectation]:
    """Yield what the tests and examples of rs-poker's parser expect."""
    examples = re.findall(r"/// ```(.*?)/// ```", source, re.DOTALL)
    for block in examples + source.split("#[test]")[1:]:
        texts = re.findall(r'parse_(?:one|many)\(\D*?"([^"]*)"', block)
        claims = re.findall(r"assert_eq!\(([^;]*)\)", re.sub(r'"[^"]*"', "", block))
        sizes: list[int | None] = [
            math.prod(map(int, re.findall(r"\b\d+\b", claim)))
            for claim in claims
            if re.search(r"len\(\)|count", claim)
        ]
        if len(texts) == 2 and claims and not sizes:
            yield expect_same(*texts)
            continue
        if len(sizes) != len(texts):
            sizes = [None] * len(texts)
        is_refused = "is_err" in block or "should_panic" in block
        for text, size in zip(texts, sizes, strict=True):
            yield expect_size(text, size, is_refused=is_refused)


def read_rs_poker_ranks(source: str) -> Iterator[Expectation]:
    """Yield what rs-poker's tests expect of hands that are written out."""
    for block in source.split("#[test]"):
        hands = dict(re.findall(r'let (\w+) = FlatHand::new_from_str\("(\w+)"\)', block))
        named = re.findall(r"\((\w+)\.rank\(\)\.category\(\), CoreRank::(\w+)", block)
        ranks = [(hands[name], rank) for name, rank in named if name in hands]
        for cards, rank in ranks + re.findall(r'"(\w{14})", // ([a-z ]+)', block):
            found = holdem.evaluate(cards).category.replace(" ", "")
            is_right = rank.lower().replace(" ", "") in (found, f"one{found}")
            yield f"{cards}: {rank}", "" if is_right else f"another: {found}"
        for one, sign, other in re.findall(r"\((\w+)\.rank\(\) ([<>]) (\w+)\.rank", block):
            if one in hands and other in hands:
                first, second = (holdem.evaluate(hands[name]).strength for name in (one, other))
                is_right = first > second if sign == ">" else first < second
                yield f"{hands[one]} {sign} {hands[other]}", "" if is_right else "another order"


def read_postflop_solver(source: str) -> Iterator[Expectation]:
    """Yield what the tests of postflop-solver's ranges expect."""
    tests = source.partition("mod tests")[2]
    for text, wanted in re.findall(r'\("([^"]*)", (None\),|Some)', tests):
        yield expect_size(text, None, is_refused=wanted != "Some")
    for one, other in re.findall(r'\("([^"]*)", "([^"]*)"\)', tests):
        yield expect_same(one, other)
    names = dict(re.findall(r'let (\w+) = "(.*?)"\.parse', tests))
    for name, result in re.findall(r"assert!\((\w+)\.(is_ok|is_err)", tests):
        if name in names:
            yield expect_size(names[name], None, is_refused=result == "is_err")
    for one, other in re.findall(r"assert_eq!\((\w+), (\w+_equiv)\)", tests):
        yield expect_same(names[one], names[other])


_SUITES: dict[str, dict[str, Callable[[str], Iterator[Expectation]]]] = {
    "pokerregion/poker": {"tests/test_range.py": read_python},
    "JulianAndrews/pyeval7": {
        f"tests/test_{name}.py": read_python for name in ("rangestring", "equity", "evaluate")
    },
    "uoftcprg/pokerkit": {
        "pokerkit/tests/test_analysis.py": read_python,
        "pokerkit/analysis.py": read_doctests,
        "docs/analysis.rst": read_doctests,
    },
    "elliottneilclark/rs-poker": {
        "src/holdem/parse.rs": read_rs_poker,
        "src/core/rank.rs": read_rs_poker_ranks,
    },
    "b-inary/postflop-solver": {"src/range.rs": read_postflop_solver},
}


def main() -> int:
    """Ask all suites that are found, and return 1 if an answer is a real disagreement."""
    warnings.simplefilter("ignore", holdem.DialectWarning)
    folders = [child for name in sys.argv[1:] for child in [Path(name), *Path(name).iterdir()]]
    is_wrong = False
    for suite, files in _SUITES.items():
        homes = [home for home in folders if all((home / file).is_file() for file in files)]
        if not homes:
            print(f"{suite}: not found")
            continue
        found: list[Expectation] = []
        for file, read in files.items():
            found += read((homes[0] / file).read_text(encoding="utf-8"))
        others = [(asked, instead) for asked, instead in found if instead]
        print(f"{suite}: {len(found) - len(others)} of {len(found)} hold")
        for asked, instead in others:
            reason = next(
                why
                for start, pattern, why in _REASONS
                if instead.startswith(start) and re.search(pattern, asked)
            )
            print(f"    {reason}: {asked} -> {instead}")
            is_wrong |= reason == "real disagreement"
    return 1 if is_wrong else 0


if __name__ == "__main__":
    sys.exit(main())

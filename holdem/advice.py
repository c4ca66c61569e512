"""Advice on common mistakes in input, such as ``suited connectors`` in place of ``AKs-32s``.

It is looked up only after the input has been refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_RANK = "(?:[2-9TJQKA]|10)"
_CARD = f"{_RANK}[cdhs♣♦♥♠]"
_HAND = f"{_RANK}{_RANK}[so]?"

# What a complete string looks like, and the advice, with the string as {0} and groups as {1}.
_STRINGS = (
    (
        _CARD,
        "{0}X is any hand that holds it; a hand is one word, as in AsKs; a board of several words"
        ' needs quotes: --board "Td 9d 2c"',
    ),
    (
        f"{_CARD}(?:[ ,]*{_CARD}){{2,4}}",
        'as a board, it is board="{0}" in Python and --board "{0}" on the command line',
    ),
    (
        rf"(?!(?:{_RANK}[cdhsox]?){{2}}=)[a-z]\w* ?= ?(?:{_CARD}|{_RANK}{_RANK}).*",
        'the names of players are names=["Hero", "Villain"] in Python and --names Hero,Villain on'
        " the command line",
    ),
    (r"vs?\.?|versus|against", "each player is a separate argument, as in AKs QQ, without {0}"),
    (
        "(?:off ?-?|un)?suited",
        "suited hands end in s and offsuit ones in o, without a space, as in AKs and AKo",
    ),
    (
        r"0?\.[0-9]*[1-9][0-9]*",
        "a share of all hands is a percentage with its sign, as in 15% for 0.15",
    ),
    (".*--(?:flop|turn|river)'.*", "all cards of the board are in --board, as in --board Td9d2c"),
    (
        "holdem [a-z-]+: No such option '(?:-p|--plugin)'.*",
        "--plugin comes before the command, as in holdem -p mine.py equity …",
    ),
    (
        "holdem compare: .*'FILE': '([2-9TJQKA][cdhs]){2}'.*",
        "compare reads hands from a file; for two hands, use holdem explain AsKs QdQh",
    ),
    (
        "holdem (?:equity|equities|head-to-head): No such option"
        " '--(?:hands|iterations|trials|samples|sims|simulations|runs)'.*",
        "the number of hands is in --deals",
    ),
    (
        "holdem deal: No such option '--(?:deals|iterations|trials|samples)'.*",
        "the number of hands is in --hands",
    ),
    (
        "holdem .*No such option '--(json|csv|markdown|table|jsonl)'.*",
        "the format of the output is in -f, as in -f {1}",
    ),
    (
        "holdem (?:hits|range|explain|head-to-head|flops): No such option '--(?:pot|bet)'.*",
        "the price of a call is in holdem equity, as in --pot 60 --bet 30",
    ),
    (
        "holdem flops: No such option '(?:-b|--board)'.*",
        "the command is for all flops; for one board, use holdem equity",
    ),
    (
        "holdem flops: got unexpected extra argument.*",
        "all flops are for two players; for more, use holdem equity with a board",
    ),
    (
        "holdem hits: No such option '--(keep|remove)'.*",
        'holdem range narrows a range by what it hits, as in --board Ks7d2c --{1} "top pair"',
    ),
    (
        "holdem evaluate: No such option '(?:-b|--board)'.*",
        "hole cards and board are one hand, as in holdem evaluate AsKs QsJsTs",
    ),
    (
        "holdem history: No such option '--(?:hero|name|players)'.*",
        "choose one with --player NAME",
    ),
    (
        "holdem run: No such option '(?:-o|--out|--output)'.*",
        "the file that keeps the results is in --store, as in --store study.store",
    ),
    ("holdem serve: .*unexpected extra argument .*", "the port is in --port, as in --port 8000"),
    ("holdem: No such option '-v'.*", "the version is in --version"),
    (
        "holdem (?:equity|hits|explain|range|evaluate|head-to-head): .*'(?:-o|--output)'.*",
        "the result is on standard output; write it to a file with > FILE",
    ),
    (
        "holdem equities: got unexpected extra argument.*",
        "one FILE at a time; columns have commas between them, as in --players hero,villain",
    ),
)

# Parts of a range, and what stands for them. They are replaced one after the other.
_PARTS = (
    (r"\b(?:any )?suited connectors?\b", "AKs-32s"),
    (r"\b(?:any )?(?:off ?suit|unsuited) connectors?\b", "AKo-32o"),
    (r"\b(?:any )?connectors?\b", "AK-32"),
    (r"\b(?:any )?suited aces?\b", "A2s+"),
    (r"\b(?:any |all )?(?:pocket )?pairs?\b", "22+"),
    (r"\bany aces?\b", "A*"),
    (r"\baces? ?x\b", "AX"),
    (r"(?<=\S) +(?:except(?: for)?|but not|without|minus) +(?=[^ ,]+$)", "!"),
    (r"\brandom *- *(?=[^ ,]+$)", "random!"),
    (r"\b(?:any two(?: cards)?|any ?hand|anything|atc)\b", "random"),
    (r"\b(?:all(?: hands)?|everything)(?= *(?:$|[,;!)]))", "random"),
    (rf"\b({_RANK})[-/]({_RANK}[so]?)\b", r"\1\2"),
    (rf"\b({_RANK}{_RANK})x\b", r"\1"),
    (rf"\b({_RANK}{_RANK}) +([so])\b", r"\1\2"),
    (rf"\b({_HAND})(?: *\.\.+ *| +to +)({_HAND})\b", r"\1-\2"),
    (rf"\b({_HAND}\+?) *\* *(0?\.[0-9]+)\b", r"\1:\2"),
    (rf"\b({_HAND}\+?)\(([0-9]+)%\)", r"\1@\2"),
    (r"\+\++", "+"),
    (rf"\b({_HAND}\+)(?={_HAND}\b)", r"\1, "),
    (r"^([^,;! ]+) *, *(?=!)", r"\1"),
    (r"^([^!]+?) *, *(?=!)", r"(\1)"),
    (rf"\b({_RANK})({_RANK})[ -]*suited\b", r"\1\2s"),
    (rf"\b({_RANK})({_RANK})[ -]*(?:off ?suit|unsuited|off)\b", r"\1\2o"),
    (
        r"\b(?:the )?(?:top|best|first|strongest) (?!0?\.)([0-9.]+) ?(?:%|percent)?(?![0-9])",
        r"top \1%",
    ),
    (r"(?<=[^ /|]) *(?:[/|]|\b(?:or|and)\b) *(?=[^ /|])", ", "),
)


def advise(text: str, is_valid: Callable[[str], bool] = lambda _: False) -> str | None:
    """Look up advice on invalid input.

    Args:
        text: a range string, or the message of an error in the arguments of a command, with the
            command in front, e.g. ``"holdem: No such option '-v'"``.
        is_valid: a function that tests whether a range string is valid. A corrected string is
            returned only if it passes this test.

    Returns:
        A sentence, or the valid range string that was probably meant; None if there is no advice.
    """
    text = " ".join(text.split())
    for pattern, advice in _STRINGS:
        if match := re.fullmatch(pattern, text, re.IGNORECASE):
            return advice.format(text, *match.groups())
    changed = text
    for pattern, part in _PARTS:
        changed = re.sub(pattern, part, changed, flags=re.IGNORECASE)
    return changed if changed != text and is_valid(changed) else None

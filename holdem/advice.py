"""Advice on common mistakes in input, such as ``suited connectors`` in place of ``AKs-32s``.

It is looked up only after the input has been refused.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Container

_RANK = "(?:[2-9TJQKA]|10)"
_SUIT = "[cdhs♣♦♥♠]"
_CARD = f"{_RANK}{_SUIT}"
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
        "hold'em hands have two cards, there is no Omaha here; as a board:"
        ' board="{0}" or --board "{0}"',
    ),
    (
        rf"(?!(?:{_RANK}[cdhsox]?){{2}}=)[a-z]\w* ?= ?(?:{_CARD}|{_RANK}{_RANK}).*",
        'the names of players are names=["Hero", "Villain"] in Python and --names Hero,Villain on'
        " the command line",
    ),
    # Arguments of `equity` by other names.
    (
        r"equity\(\): (?:n|(?:n|num)_?hands|\w*(?:iter|trial|sampl|simul|sims|runs)\w*)=",
        "the number of sampled deals is deals, as in deals=100_000",
    ),
    (
        r"equity\(\): (?:\w*opponents|\w*players|villains)=",
        'each player is an argument: equity("AsKs", "random", "random") has two opponents',
    ),
    (
        r"equity\(\): (?:hero|villain|hand|hands|hole|hole_?cards|ranges?|player)_?[0-9]*=",
        'players come first, without names: equity("AsKs", "QQ+")',
    ),
    (
        r"equity\(\): (?:flop|turn|river|community|community_?cards|table)=",
        'all cards of the board are in board, as in board="Td9d2c"',
    ),
    (r"equity\(\): (?:dead_?cards|removed|mucked)=", "cards out of play are in dead"),
    (
        r"equity\(\): (?:rules|game|variant|short_?deck)=",
        'the evaluator has the rules: evaluator="short-deck"',
    ),
    (
        r"equity\(\): (?:exact|exhaustive|enumerate|monte_?carlo)=",
        'the way is method="exact" or method="monte-carlo"',
    ),
    (r"equity\(\): (?:rng|random_?(?:state|seed))=", "the seed is in seed"),
    (r"equity\(\): (?:threads|cores|cpus|processes|n_?jobs)=", "threads are in workers"),
    (r"vs?\.?|versus|against", "each player is a separate argument, as in AKs QQ, without {0}"),
    (
        "(?:off ?-?|un)?suited",
        "suited hands end in s and offsuit ones in o, without a space, as in AKs and AKo",
    ),
    (
        r"0?\.[0-9]*[1-9][0-9]*",
        "a share of all hands is a percentage with its sign, as in 15% for 0.15",
    ),
    (
        "holdem[.](?:Engine|Table|Poker|Simulator|Simulation)",
        "functions need no engine: holdem.simulate deals hands one by one, holdem.deal as arrays,"
        " holdem.equity computes equities, and holdem.Game plays a hand with betting",
    ),
    (
        "holdem[.](?:monte_?carlo|simulate_equity|sample)",
        'holdem.equity(…, method="monte-carlo") samples, holdem.estimate does for any number',
    ),
    (
        "holdem[.](?:shuffle|draw|new_deck|deck)",
        "holdem.Deck(seed=7) is a shuffled deck, and its .deal(2) deals two cards",
    ),
    (
        "holdem[.](?:register|add|new|custom)_?evaluator",
        "holdem.register makes an evaluator known, and the decorator @holdem.evaluator makes one"
        " of a function",
    ),
    (
        "holdem[.](?:calc|calculate|compute|get|hand)_?(?:equity|equities|odds)|holdem[.]odds",
        "holdem.equity computes the equity of one spot, holdem.equities of many",
    ),
    (
        "holdem[.](?:rank|score|rank_hand|evaluate_hand|hand_rank|best_hand|hand_strength)",
        "holdem.evaluate ranks one hand; holdem.get_evaluator().strengths ranks arrays of hands",
    ),
)

# The option that the command has, names of elsewhere for it, and the advice.
_OPTIONS = (
    (
        "--board",
        "--flop --turn --river",
        "all cards of the board are in --board, as in --board Td9d2c",
    ),
    (
        "--deals",
        "--hands --iterations --trials --samples --sims --simulations --runs",
        "the number of hands is in --deals",
    ),
    (
        "--hands",
        "--deals --iterations --trials --samples --sims --simulations --runs",
        "the number of hands is in --hands",
    ),
    (
        "--format",
        "--json --csv --markdown --table --jsonl",
        "the format of the output is in -f, as in -f json",
    ),
    (
        "--evaluator",
        "--rules --game --variant --short-deck --shortdeck --six-plus --deuces-wild",
        "the rules come with an evaluator, as in --evaluator short-deck",
    ),
    (
        "--format",
        "-o --output",
        "the result is on standard output; write it to a file with > FILE",
    ),
    (
        "--traceback",
        "-p --plugin",
        "--plugin comes before the command, as in holdem -p mine.py equity …",
    ),
)

# Cards as other programs write them: the suit first, ranks as numbers, one sign for a card.
_NUMBERS = {"11": "J", "12": "Q", "13": "K", "14": "A", "0": "T"}
_OTHER_CARD = f"({_SUIT})({_RANK})|(1[1-4]|0)({_SUIT})|([🂡-🂫🂭🂮🂱-🂻🂽🂾🃁-🃋🃍🃎🃑-🃛🃝🃞])"
_SIGNS = "A23456789TJ?QK"  # of the cards in Unicode, which has knights

# Letters and signs that look like those of cards and ranges. Characters that Unicode normalisation
# maps to ASCII (full-width letters, superscript digits) are not needed here.
_LOOK_ALIKES = str.maketrans(
    "АВЕКМНОРСТХЈԚаекорсухѕјһԁԛΑΚΤΧκοχ–—−‐‑‒·“”，；（）！：",
    'ABEKMHOPCTXJQaekopcyxsjhdqAKTXkox------*"",;()!:',
)


def _without_weights_apart(match: re.Match[str]) -> str:
    """Put the weights of ``TT+; Weights: JJ:50%`` beside their hands."""
    hands = re.findall(r"(?:^|[,;] *)([^:,;]+?) *:", match[2])
    return f"({match[1]})!({', '.join(hands)}), {re.sub(' *: *', '@', match[2])}"


# Parts of a range, and what stands for them. They are replaced one after the other.
_PARTS: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (
    (r"(?<![0-9A-Za-z.,%])([0-9]+),([0-9]+)(?= *[%(\]])", r"\1.\2"),  # a decimal comma
    (r"(?<=%-)([0-9]+),([0-9]+)(?=%)", r"\1.\2"),
    (r"([:=@] *0),([0-9]+)\b", r"\1.\2"),
    (r"(@ *[0-9]+),([0-9])\b", r"\1.\2"),
    (r"^top([0-9]+),([0-9]+)%", r"top \1.\2%"),
    (  # Power-Equilab
        rf"(^|[,;] *)([0-9]+(?:\.[0-9]+)?) ?: *({_RANK}{_RANK}[^:]*?)(?= *[,;] *[0-9.]+ ?:|$)",
        r"\1\2%(\3)",
    ),
    (r"^(.+?) *[;,] *weights? *: *(.+)$", _without_weights_apart),  # PokerCruncher
    (rf"\b({_RANK}{_RANK}):xx\b", r"\1s"),  # ProPokerTools
    (rf"\b({_RANK}{_RANK}):xy\b", r"\1o"),
    (rf"\b({_RANK})\1p(?![A-Za-z0-9])", r"\1\1"),
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
    (rf"\b({_HAND}\+?) *(?:\* *(0?\.[0-9]+)\b|\( *(0?\.[0-9]+) *\))", r"\1:\2\3"),
    (rf"\b({_HAND}\+?)(?:\(([0-9]+)%\)| *\( *(?!{_HAND} *\))([0-9]+) *\))", r"\1@\2\3"),
    (rf"\b({_HAND}\+?)(?: *[/|] *)?([0-9]+(?:\.[0-9]+)?) ?%", r"\1@\2%"),
    (rf"\b(?![0-9]+ )({_HAND}\+?) +% *([0-9]+(?:\.[0-9]+)?)\b", r"\1@\2%"),
    (rf"(?<![0-9.-])([0-9]+(?:\.[0-9]+)?) ?% *[/|] *({_HAND}\+?)", r"\2@\1%"),
    (r"\+\++", "+"),
    (rf"\b({_HAND}\+)(?={_HAND}\b)", r"\1, "),
    (rf"\b({_HAND}-) +(?={_HAND}[+-])", r"\1, "),
    (r"^([^,;! ]+) *, *(?=!)", r"\1"),
    (r"^([^!]+?) *, *(?=!)", r"(\1)"),
    (rf"\b({_RANK})({_RANK})[ -]*suited\b", r"\1\2s"),
    (rf"\b({_RANK})({_RANK})[ -]*(?:off ?suit|unsuited|off)\b", r"\1\2o"),
    (
        r"\b(?:the )?(?:top|best|first|strongest) (?!0?\.)([0-9.]+) ?(?:%|percent)?(?![0-9])",
        r"top \1%",
    ),
    (r"(?<=[^ /|[]) *(?:[/|]|\b(?:or|and)\b) *(?=[^ /|])", ", "),
)


def advise(text: str, is_valid: Callable[[str], bool] = lambda _: False) -> str | None:
    """Look up advice on a range string, or on a name given in Python: ``"equity(): runs="``.

    The answer is a sentence, or the range that was probably meant, if `is_valid` accepts it; None
    if there is no advice.
    """
    text = " ".join(text.split())
    for pattern, advice in _STRINGS:
        if match := re.fullmatch(pattern, text, re.IGNORECASE):
            return advice.format(text, *match.groups())
    words = rf"(?<!\w)(?:{_OTHER_CARD})+(?!\w)"
    changed = re.sub(words, lambda word: _correct_cards(word[0]), text, flags=re.IGNORECASE)
    for pattern, part in _PARTS:
        changed = re.sub(pattern, part, changed, flags=re.IGNORECASE)
    return changed if changed != text and is_valid(changed) else None


def advise_option(name: str, known: Container[str]) -> str | None:
    """Look up advice on an option that a command lacks; `known` has those that it has."""
    for option, names, advice in _OPTIONS:
        if option in known and name in names.split():
            return advice
    return None


def advise_card(text: str) -> str | None:
    """Name the card that is written as elsewhere: ``"the rank comes first: 4d"`` for ``D4``."""
    if not text.isascii() and re.fullmatch(_CARD, plain := plain_text(text), re.IGNORECASE):
        char = next(char for char in text if not char.isascii())
        described = f"{char!r} (U+{ord(char):04X} {unicodedata.name(char)})"
        return f"{described} only looks like {plain_text(char)!r}: {plain}"
    if not (match := re.fullmatch(_OTHER_CARD, text, re.IGNORECASE)):
        return None
    card = _correct_cards(text)
    return f"the rank comes first: {card}" if match[1] else f"{text} is {card}"


def plain_text(text: str) -> str:
    """Replace letters and signs that only look like those of cards and ranges."""
    return unicodedata.normalize("NFKC", text.translate(_LOOK_ALIKES)).translate(_LOOK_ALIKES)


def _correct_cards(text: str) -> str:
    """Rewrite the cards in text that consists of `_OTHER_CARD`."""

    def correct(match: re.Match[str]) -> str:
        suit, rank, number, suit_of_number, sign = match.groups()
        if sign:
            block, place = divmod(ord(sign) - ord("🂡"), 16)
            return _SIGNS[place] + "shdc"[block]
        return (rank.upper() if rank else _NUMBERS[number]) + (suit or suit_of_number).lower()

    return re.sub(_OTHER_CARD, correct, text, flags=re.IGNORECASE)

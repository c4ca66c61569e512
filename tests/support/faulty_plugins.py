"""Faulty plugin modules: for each fault the code, and the reason listed for it."""

# A correct plugin; `{name}` is its evaluator.
GOOD = """
import holdem

def load():
    from holdem.evaluation.builtin.reference import rank_batch
    return rank_batch

def spec(name, **changes):
    given = dict(summary="for a test", source="a test", hand_sizes={{5}}, load=load)
    return holdem.EvaluatorSpec(name=name, **(given | changes))

@holdem.hookimpl
def holdem_evaluators():
    return [spec("{name}")]
"""
# The code before the hook of a faulty plugin.
SPEC = GOOD.partition("@holdem.hookimpl")[0].format()

HOOK = "@holdem.hookimpl\ndef holdem_evaluators():\n    "
FAULTS = {
    "does not import": (
        "import no_such_module",
        "ModuleNotFoundError: No module named 'no_such_module' (importing plugin_faulty)",
    ),
    "exits at import": (
        "import sys; sys.exit('no licence')",
        "SystemExit: no licence (importing plugin_faulty)",
    ),
    "is no Python": (
        "def (",
        "SyntaxError: invalid syntax (plugin_faulty.py, line 1) (importing plugin_faulty)",
    ),
    "has no hook": (
        "x = 1",
        "it has no hook: expected holdem_commands or holdem_evaluators or holdem_ranges or",
    ),
    "has an unmarked hook": (
        "def holdem_evaluators(): return []",
        "holdem_evaluators is not marked @holdem.hookimpl, so it is no hook",
    ),
    "misspells its hook": (
        SPEC + "@holdem.hookimpl\ndef holdem_evaluator(): return [spec('x')]",
        "unknown hook 'holdem_evaluator' (did you mean holdem_evaluators?); there are: holdem_",
    ),
    "has a second, unknown hook": (
        SPEC + HOOK + "return [spec('x')]\n@holdem.hookimpl\ndef holdem_odds(): return []",
        "unknown hook 'holdem_odds'; there are: holdem_commands, holdem_evaluators, holdem_ranges",
    ),
    "wants an argument": (
        SPEC + "@holdem.hookimpl\ndef holdem_evaluators(config): return [spec('x')]",
        "Plugin 'faulty' for hook 'holdem_evaluators' hookimpl definition:"
        " holdem_evaluators(config) Argument(s) {'config'} are declared in the hookimpl but can",
    ),
    "wants an argument and misspells": (
        SPEC
        + "@holdem.hookimpl\ndef holdem_evaluator(): return []\n"
        + "@holdem.hookimpl\ndef holdem_evaluators(config): return [spec('x')]",
        "Plugin 'faulty' for hook 'holdem_evaluators' hookimpl definition:",
    ),
    "is a wrapper": (
        SPEC + "@holdem.hookimpl(wrapper=True)\ndef holdem_evaluators(): return (yield)",
        "holdem_evaluators is a hook wrapper, which would have nothing to wrap, because",
    ),
    "prints in its hook": (
        SPEC + HOOK + "print('hello'); return [spec('x')]",
        "holdem_evaluators wrote 'hello' to standard output, which is for results",
    ),
    "raises in its hook": (SPEC + HOOK + "1 / 0", "ZeroDivisionError: division by zero"),
    "exits in its hook": (SPEC + HOOK + "raise SystemExit(3)", "SystemExit: 3"),
    "raises while it is read": (
        SPEC + HOOK + "yield spec('x'); raise OSError('gone')",
        "OSError: gone",
    ),
    "returns None": (
        SPEC + HOOK + "pass",
        "holdem_evaluators returned None, not a list of EvaluatorSpec",
    ),
    "returns a number": (
        SPEC + HOOK + "return 5",
        "holdem_evaluators returned 5, not a list of EvaluatorSpec",
    ),
    "returns a spec alone": (
        SPEC + HOOK + "return spec('x')",
        "holdem_evaluators returned EvaluatorSpec(name='x', ",
    ),
    "returns names": (
        SPEC + HOOK + "return ['x']",
        "holdem_evaluators returned ['x'], not a list of EvaluatorSpec",
    ),
    "returns a text": (
        SPEC + HOOK + "return 'x'",
        "holdem_evaluators returned 'x', not a list of EvaluatorSpec",
    ),
    "returns one spec and a function": (
        SPEC + HOOK + "return [spec('x'), load]",
        "holdem_evaluators returned [EvaluatorSpec(name='x', ",
    ),
    "offers a name twice": (
        SPEC + HOOK + "return [spec('x'), spec('y'), spec('x')]",
        "it offers 'x' twice",
    ),
    "has a path for a name": (
        SPEC + HOOK + "return [spec('../x')]",
        "'../x' is not a valid evaluator name: use 1 to 64 characters, a-z and 0-9 with",
    ),
    "has an escape in its name": (
        SPEC + HOOK + "return [spec('x\\x1b[2J')]",
        r"'x\x1b[2J' is not a valid evaluator name: use 1 to 64 characters, a-z",
    ),
    "has a newline in its name": (
        SPEC + HOOK + "return [spec('x\\n')]",
        r"'x\n' is not a valid evaluator name: use 1 to 64 characters, a-z",
    ),
    "has a long name": (
        SPEC + HOOK + "return [spec('x' * 10_000)]",
        f"'{'x' * 59}…' is not a valid evaluator name: use 1 to 64 characters, a-z",
    ),
    "has a list for a name": (
        SPEC + HOOK + "return [spec(['x'])]",
        "an evaluator's name must be text, not ['x']",
    ),
    "has an escape in its summary": (
        SPEC + HOOK + "return [spec('x', summary='\\x1b]0;x\\x07')]",
        r"an evaluator's summary must be one printable line, not '\x1b]0;x\x07'",
    ),
    "has another contract": (
        SPEC + HOOK + "return [spec('x', contract=2)]",
        "written for contract 2; this engine has contract 1",
    ),
    "has an unknown rule set": (
        SPEC + HOOK + "return [spec('x', rules='omaha')]",
        "unknown rule set 'omaha'; there ",
    ),
    "ranks seven only": (
        SPEC + HOOK + "return [spec('x', hand_sizes={7})]",
        "hand_sizes must be {5} or {5, 6, 7}, not {7}",
    ),
    "has a field that specs do not have": (
        SPEC + HOOK + "return [spec('x', speed=9)]",
        "TypeError: EvaluatorSpec.__init__() got an unexpected keyword argument 'speed'",
    ),
    "says a lot when it fails": (
        SPEC + HOOK + "raise ValueError('line one\\n\\x1b[2Jline two' + 'x' * 10_000)",
        r"ValueError: line one \x1b[2Jline twoxxx",
    ),
    "asks for evaluators at import": (
        "import holdem; holdem.get_evaluator('bitwise')",
        "evaluators and named ranges cannot be listed or used while plugins are being loaded"
        " (importing plugin_faulty)",
    ),
    "asks for evaluators in its hook": (
        SPEC + HOOK + "holdem.evaluators(); return [spec('x')]",
        "evaluators and named ranges cannot be listed or used while plugins are being loaded",
    ),
}

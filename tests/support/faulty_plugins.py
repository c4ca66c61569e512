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
    "wants an argument": (
        SPEC + "@holdem.hookimpl\ndef holdem_evaluators(config): return [spec('x')]",
        "Plugin 'faulty' for hook 'holdem_evaluators' hookimpl definition:"
        " holdem_evaluators(config) Argument(s) {'config'} are declared in the hookimpl but can",
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
    "returns a spec alone": (
        SPEC + HOOK + "return spec('x')",
        "holdem_evaluators returned EvaluatorSpec(name='x', ",
    ),
    "returns one spec and a function": (
        SPEC + HOOK + "return [spec('x'), load]",
        "holdem_evaluators returned [EvaluatorSpec(name='x', ",
    ),
    "offers a name twice": (
        SPEC + HOOK + "return [spec('x'), spec('y'), spec('x')]",
        "it offers 'x' twice",
    ),
    "has another contract": (
        SPEC + HOOK + "return [spec('x', contract=2)]",
        "written for contract 2; this engine has contract 1",
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

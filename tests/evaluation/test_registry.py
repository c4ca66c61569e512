"""The registry of evaluators."""

import subprocess
import sys
from types import ModuleType

import numpy as np
import pytest

import holdem
from games import ROYAL
from hands import EVALUATORS, random_hands
from holdem import hookimpl
from holdem.errors import EvaluatorError, HoldemTypeError
from holdem.evaluation.builtin import reference
from holdem.evaluation.registry import Registry
from holdem.plugins.manager import Origin
from plugin_distributions import records_of, require_others_work

pytestmark = pytest.mark.usefixtures("clean")

# --- what there is ---------------------------------------------------------------------


def test_included_evaluators():
    """Built-in ones come first, and records are complete."""
    records = records_of(Registry())
    assert ["lookup", "reference"] == list(records)[:2]
    assert set(EVALUATORS) <= set(records)
    for name, record in records.items():
        assert ("holdem-engine", holdem.__version__) == (record.distribution, record.version)
        assert record.summary
        assert record.source
        assert ("standard" if name in EVALUATORS else record.rules) == record.rules
        fields = [*("name", "summary", "source", "hand_sizes", "rules")]
        fields += ["distribution", "version", "status", "reason", "tables", "kinds", "seconds"]
        assert fields == list(record.to_dict())
        assert name == record.to_dict()["name"]
    assert [5, 6, 7] == records["lookup"].to_dict()["hand_sizes"]
    assert [5] == records["reference"].to_dict()["hand_sizes"]
    require_others_work(Registry())


def test_listing_loads_nothing():
    """Neither numba nor any kernel or table is imported."""
    code = (
        "import sys, holdem\n"
        "assert len(holdem.evaluators()) >= 6\n"
        "holdem.get_evaluator('cactus-kev')\n"
        "print([name for name in sys.modules if name.partition('.')[0] in ('numba', 'llvmlite')\n"
        "       or name.endswith(('.kernel', '.kernels', '.tables', '.reference'))\n"
        "       and name != 'holdem.jit.kernels'])"  # which imports numba on the first call
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "[]" == done.stdout.strip()


def test_default_is_lookup():
    """Each name has one evaluator object."""
    registry = Registry()
    assert "lookup" == registry.get().name == registry.get(None).name
    assert registry.get("lookup") is registry.get()
    assert registry.get(registry.get("bitwise")) is registry.get("bitwise")


def test_names_are_resolved_once():
    """First answers to a hook change nothing."""
    registry = Registry()
    assert registry._entries() is registry._entries()


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("kev", "no evaluator 'kev'; there are: lookup, reference, bitwise, cactus-kev"),
        ("lockup", "no evaluator 'lockup' (did you mean lookup?); there are: lookup, reference,"),
        ("Lookup", "no evaluator 'Lookup' (did you mean lookup?); there are: lookup, reference,"),
        ("", "no evaluator ''; there are: lookup, reference, bitwise"),
        ("\x1b[2J", r"no evaluator '\x1b[2J'; there are: lookup"),
        ("../lookup", "no evaluator '../lookup' (did you mean lookup?); there are: lookup"),
    ],
)
def test_unknown_name(name, told):
    """The message has the escaped name, a similar one, and all available evaluators."""
    with pytest.raises(EvaluatorError) as caught:
        Registry().get(name)
    assert str(caught.value).startswith(told)
    assert str(caught.value).isprintable()
    no_hint = "; those of a script are available with `holdem -p FILE`, before the command"
    assert str(caught.value).endswith(no_hint) != ("did you mean" in told)


@pytest.mark.parametrize("name", [5, b"lookup", ["lookup"], reference.rank_batch])
def test_types_of_names(name):
    """Anything but text, a spec or an evaluator is a type error."""
    with pytest.raises(
        HoldemTypeError, match="an evaluator must be a name or a spec, not "
    ) as caught:
        Registry().get(name)
    # A function is one that was not decorated.
    assert callable(name) == str(caught.value).endswith('with @holdem.evaluator("name")')


# --- evaluators of the script ----------------------------------------------------------


def test_registered_evaluator():
    """It is listed after the built-in ones, without a distribution."""
    registry = Registry()
    assert registry.records() == registry.records()  # all hooks have been called
    spec = holdem.evaluator("script", summary="s", source="t")(reference.strength)
    assert spec is registry.register(spec)
    record = registry.records()[2]
    assert ("script", "s", "t", "", "", "active", "") == (
        *(record.name, record.summary, record.source, record.distribution),
        *(record.version, record.status, record.reason),
    )
    assert registry.get("script") is registry.get(spec)
    require_others_work(registry, also=["script"])


@pytest.mark.parametrize("replace", [False, True])
@pytest.mark.parametrize("name", ["lookup", "bitwise"])
def test_registering_an_installed_name(name, replace):
    """It is an error that names the owner, also with `replace=True`."""
    registry = Registry()
    spec = holdem.evaluator(name)(reference.strength)
    with pytest.raises(EvaluatorError) as caught:
        registry.register(spec, replace=replace)
    assert f"the name '{name}' is taken by holdem-engine {holdem.__version__}" == str(caught.value)
    require_others_work(registry)


def test_registering_a_name_again():
    """It is an error unless `replace=True`."""
    registry = Registry()
    first = registry.register(holdem.evaluator("script")(reference.strength))
    doubled = holdem.evaluator("script")(lambda cards: 2 * reference.strength(cards))
    with pytest.raises(EvaluatorError, match=r"taken by this script \(replace=True replaces"):
        registry.register(doubled)
    hands = random_hands(5, 5, seed=1)
    before = registry.get("script").strengths(hands)
    registry.register(doubled, replace=True)
    np.testing.assert_array_equal(2 * before, registry.get("script").strengths(hands))
    np.testing.assert_array_equal(before, registry.get(first).strengths(hands))
    assert 1 == [record.name for record in registry.records()].count("script")


@pytest.mark.parametrize("replace", [False, True])
def test_registering_the_name_of_a_module(replace):
    """A module given to `plugin_manager` is not replaced; the message says how to remove it."""
    registry = Registry()
    module = ModuleType("my_module")
    module.holdem_evaluators = hookimpl(lambda: [holdem.evaluator("script")(reference.strength)])
    registry.plugins.register(module, "my_module")
    spec = holdem.evaluator("script")(reference.strength)
    with pytest.raises(EvaluatorError) as caught:
        registry.register(spec, replace=replace)
    assert str(caught.value) == (
        "the name 'script' is taken by the plugin my_module, which this script gave to"
        " plugin_manager(); plugin_manager().unregister(name='my_module') frees it"
    )
    registry.plugins.unregister(name="my_module")
    registry.register(spec, replace=replace)


def test_registering_the_name_of_a_broken_plugin(install):
    """It is an error, so that no script hides the fault."""
    install("plugin_faulty", "import no_such_module", entry="faulty")
    with pytest.raises(EvaluatorError, match=r"'faulty' is taken by plugin-faulty 1\.0"):
        Registry().register(holdem.evaluator("faulty")(reference.strength), replace=True)


def test_registering_a_function():
    with pytest.raises(
        HoldemTypeError, match="register takes an EvaluatorSpec or a RuleSet, not <function"
    ):
        Registry().register(reference.strength)


def test_built_in_evaluators_are_listed_as_themselves():
    """They are named in other processes, as every listed evaluator is."""
    registry = Registry()
    for name in ("lookup", "reference", "bitwise"):
        assert name == registry.key_of(registry.get(name))
        assert registry.get(name) is registry._entries()[name]


def test_rules_outlive_the_file_that_offers_them():
    """Their key is the name that the file gives them or, without it, the rules themselves."""

    class File:
        @holdem.hookimpl
        def holdem_evaluators(self):
            return [ROYAL]

    registry = Registry()
    registry.plugins.add(File(), "royal.py", Origin("royal.py", "sha256:1"))
    assert "royal" == registry.key_of(registry.get("royal"))
    assert "royal" == registry.key_of(registry.get(ROYAL))
    registry.plugins.unregister(name="royal.py")
    assert ROYAL == registry.key_of(registry.get(ROYAL))

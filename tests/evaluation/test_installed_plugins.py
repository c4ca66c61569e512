"""Real distributions on disk: a fault, or a name taken, stays with the plugin that has it."""

import pytest
from faulty_plugins import FAULTS, GOOD, HOOK, SPEC
from hands import random_hands
from installed import records_of, require_others_work

from holdem.errors import EvaluatorError
from holdem.evaluation.plugins import DISABLE_VARIABLE
from holdem.evaluation.registry import Registry

pytestmark = pytest.mark.usefixtures("clean")

# --- plugins that work -----------------------------------------------------------------


def test_a_plugin_is_found_through_its_entry_point(install):
    """An installed distribution's evaluator is listed with name and version, and ranks."""
    install("plugin_good", GOOD.format(name="good"), version="2.5")
    registry = Registry()
    record = records_of(registry)["good"]
    assert ("plugin-good", "2.5", "active") == (record.distribution, record.version, record.status)
    assert ("for a test", "a test", (5,)) == (record.summary, record.source, record.hand_sizes)
    require_others_work(registry, also=["good"])
    assert {"name": "good", "version": "2.5"} == registry.get("good").label


def test_an_entry_point_may_name_an_object(install):
    """The hook may stand in a class or an object of the module."""
    code = SPEC + (
        "class Offers:\n"
        "    @holdem.hookimpl\n"
        "    def holdem_evaluators(self):\n"
        "        return (spec(name) for name in ['one', 'two'])\n"
        "offers = Offers()\n"
    )
    entry_points = "[holdem]\nany = plugin_object:offers\n"
    install("plugin_object", code, files={"entry_points.txt": entry_points})
    require_others_work(Registry(), also=["one", "two"])


def test_an_optional_hook_of_a_later_engine_is_no_fault(install):
    """A hook that this engine does not know is allowed where it is marked as optional."""
    code = GOOD.format(name="ahead") + (
        "\n@holdem.hookimpl(optionalhook=True)\ndef holdem_ranges():\n    return []\n"
    )
    install("plugin_ahead", code)
    require_others_work(Registry(), also=["ahead"])


def test_a_distribution_that_says_little_works(install):
    """Without METADATA the origin is unknown; the evaluator works nevertheless."""
    install("plugin_bare", GOOD.format(name="bare"), files={"METADATA": None})
    registry = Registry()
    require_others_work(registry, also=["bare"])
    assert "unknown" == records_of(registry)["bare"].distribution


# --- plugins with a fault --------------------------------------------------------------


@pytest.mark.parametrize(("code", "reason"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_one_record_with_its_reason(install, monkeypatch, code, reason):
    """A broken plugin is listed by its entry point with a one-line reason; all others work."""
    before = set(records_of(Registry()))
    install("plugin_faulty", code, entry="faulty")
    install("plugin_good", GOOD.format(name="good"))
    install("plugin_zz_good", GOOD.format(name="zz-good"))
    registry = Registry()
    monkeypatch.setattr("holdem.evaluation.registry.REGISTRY", registry)
    monkeypatch.setattr("holdem.evaluation.hand_value.REGISTRY", registry)
    records = records_of(registry)
    assert {*before, "good", "zz-good", "faulty"} == set(records)
    record = records["faulty"]
    assert ("broken", "plugin-faulty", "1.0") == (
        record.status,
        record.distribution,
        record.version,
    )
    assert record.reason.startswith(reason)
    assert record.reason.isprintable()
    assert len(record.reason) <= 300 + len(" (importing plugin_faulty)")
    require_others_work(registry, also=["good", "zz-good"])
    with pytest.raises(EvaluatorError) as caught:
        registry.get("faulty")
    assert f"evaluator 'faulty' is broken: {record.reason}" == str(caught.value)
    with pytest.raises(EvaluatorError, match="no evaluator 'x'; there are: ") as caught:
        registry.get("x")
    assert "faulty" not in str(caught.value)


@pytest.mark.parametrize(
    ("entry_points", "reason"),
    [
        ("[holdem]\nfaulty = not a module!\n", "(importing not a module!)"),
        ("[holdem]\nfaulty = plugin_faulty:nothing\n", "has no attribute 'nothing'"),
        ("[holdem]\nfaulty = no.such.place\n", "ModuleNotFoundError: No module named 'no'"),
    ],
)
def test_an_entry_point_that_leads_nowhere(install, entry_points, reason):
    """A value that cannot be imported is a fault of that plugin only."""
    install("plugin_faulty", "x = 1", files={"entry_points.txt": entry_points})
    registry = Registry()
    record = records_of(registry)["faulty"]
    assert "broken" == record.status
    assert reason in record.reason
    require_others_work(registry)


@pytest.mark.parametrize("entry_points", ["[holdem]\nno equals sign\n", "[other]\nfaulty\n"])
def test_an_unreadable_list_of_entry_points_hides_no_other(install, entry_points):
    """One file that Python cannot read does not take away everyone's plugins."""
    install("plugin_faulty", "x = 1", files={"entry_points.txt": entry_points})
    install("plugin_good", GOOD.format(name="good"))
    require_others_work(Registry(), also=["good"])


@pytest.mark.parametrize(
    ("entry", "shown"),
    [
        ("../../etc/passwd", "../../etc/passwd"),
        ("x\x1b[2J", r"x\x1b[2J"),
        ("x\u202ey", r"x\u202ey"),  # what follows is shown from right to left
        ("lookup", "lookup (plugin-faulty)"),
        ("x" * 1000, "x" * 299 + "…"),
    ],
)
@pytest.mark.parametrize("code", ["import no_such_module", GOOD.format(name="mine")])
def test_the_name_of_an_entry_point_is_only_shown(install, entry, shown, code):
    """Whatever it is, it is one printable line in the list, and opens or hides nothing."""
    install("plugin_faulty", code, entry=entry)
    registry = Registry()
    records = records_of(registry)
    if "mine" in code:
        require_others_work(registry, also=["mine"])
        assert "plugin-faulty" == records["mine"].distribution
        return
    require_others_work(registry)
    (record,) = [record for record in records.values() if record.status == "broken"]
    assert (shown, "plugin-faulty") == (record.name, record.distribution)
    assert record.reason.startswith("ModuleNotFoundError: No module named 'no_such_module'")
    with pytest.raises(EvaluatorError, match="is broken: ModuleNotFoundError"):
        registry.get(record.name)


def test_a_load_that_fails_is_listed_once_it_was_asked(install):
    """Listing does not load; after the first use the record says what went wrong."""
    code = SPEC + HOOK + "return [spec('late', load=lambda: 1 / 0), spec('fine')]"
    install("plugin_late", code)
    registry = Registry()
    assert "active" == records_of(registry)["late"].status
    for _ in range(2):
        with pytest.raises(EvaluatorError) as caught:
            registry.get("late").strengths(random_hands(1, 5, seed=1))
    told = "evaluator 'late' cannot be loaded: ZeroDivisionError: division by zero"
    assert told == str(caught.value)
    record = records_of(registry)["late"]
    assert ("broken", told) == (record.status, record.reason)
    require_others_work(registry, also=["fine"])


# --- names that clash ------------------------------------------------------------------


@pytest.mark.parametrize("count", [2, 3])
def test_one_name_from_several_distributions_names_them_all(install, count):
    """Nobody wins: the name is broken, and the reason names every distribution."""
    for place in range(count):
        code = SPEC + HOOK + f"return [spec('twin'), spec('only-{place}')]"
        install(f"plugin_twin_{place}", code, version=f"{place}.5")
    registry = Registry()
    record = records_of(registry)["twin"]
    assert "broken" == record.status
    owners = " and ".join(f"plugin-twin-{place} {place}.5" for place in range(count))
    assert record.reason.startswith(f"{count} plugins offer 'twin': {owners}; uninstall all but")
    with pytest.raises(EvaluatorError, match="evaluator 'twin' is broken: "):
        registry.get("twin")
    require_others_work(registry, also=[f"only-{place}" for place in range(count)])


def test_a_twin_can_be_switched_off(install, monkeypatch):
    """Switching one entry point off, as the message says, leaves the name to the other."""
    install("plugin_twin_a", GOOD.format(name="twin"))
    install("plugin_twin_b", GOOD.format(name="twin"))
    monkeypatch.setenv(DISABLE_VARIABLE, "plugin_twin_a")
    registry = Registry()
    records = records_of(registry)
    assert "plugin-twin-b" == records["twin"].distribution
    assert "disabled" == records["plugin_twin_a"].status
    require_others_work(registry, also=["twin"])


@pytest.mark.parametrize("name", ["lookup", "reference"])
def test_names_of_the_engine_are_reserved(install, name):
    """The engine's own keep their names; who wants one is listed beside them as broken."""
    install("plugin_usurper", SPEC + HOOK + f"return [spec('{name}'), spec('other')]")
    registry = Registry()
    record = records_of(registry)[f"{name} (plugin-usurper)"]
    assert "broken" == record.status
    assert f"the name '{name}' belongs to the engine" == record.reason
    require_others_work(registry, also=["other"])
    assert registry.get("lookup").is_fused


def test_a_broken_entry_point_takes_no_name_away(install):
    """An entry point that does not import may bear the name of another's evaluator."""
    install("plugin_a_broken", "import no_such_module", entry="good")
    install("plugin_b_good", GOOD.format(name="good"), entry="zz")
    install("plugin_c_broken", "import no_such_module", entry="lookup")
    registry = Registry()
    records = records_of(registry)
    assert "broken" == records["good (plugin-a-broken)"].status
    assert "broken" == records["lookup (plugin-c-broken)"].status
    assert "plugin-b-good" == records["good"].distribution
    require_others_work(registry, also=["good"])

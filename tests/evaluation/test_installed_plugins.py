"""Installed plugins: discovery, faults, and name conflicts."""

import pytest

from faulty_plugins import FAULTS, GOOD, HOOK, SPEC
from hands import EVALUATORS, random_hands
from holdem.errors import EvaluatorError
from holdem.evaluation.registry import DISABLE_VARIABLE, Registry
from plugin_distributions import records_of, require_others_work, use_new_registry

pytestmark = pytest.mark.usefixtures("clean")

# --- plugins that work -----------------------------------------------------------------


def test_entry_point(install):
    """The record has name and version of the distribution."""
    install("plugin_good", GOOD.format(name="good"), version="2.5")
    registry = Registry()
    record = records_of(registry)["good"]
    assert ("plugin-good", "2.5", "active") == (record.distribution, record.version, record.status)
    assert ("for a test", "a test", (5,)) == (record.summary, record.source, record.hand_sizes)
    require_others_work(registry, also=["good"])
    assert {"name": "good", "version": "2.5"} == registry.get("good").label.to_dict()


def test_entry_point_of_an_object(install):
    """It may have the hook as a method."""
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


def test_optional_unknown_hook(install):
    """A hook of a later version of the engine is allowed if it is marked as optional."""
    code = GOOD.format(name="ahead") + (
        "\n@holdem.hookimpl(optionalhook=True)\ndef holdem_odds():\n    return []\n"
    )
    install("plugin_ahead", code)
    require_others_work(Registry(), also=["ahead"])


def test_distribution_without_metadata(install):
    """Its name is unknown; its evaluator works."""
    install("plugin_bare", GOOD.format(name="bare"), files={"METADATA": None})
    registry = Registry()
    require_others_work(registry, also=["bare"])
    assert "unknown" == records_of(registry)["bare"].distribution


# --- plugins with a fault --------------------------------------------------------------


@pytest.mark.parametrize(("code", "reason"), FAULTS.values(), ids=FAULTS)
def test_broken_plugin(install, monkeypatch, code, reason):
    """It has a record with a one-line reason, and all other plugins work."""
    before = set(records_of(Registry()))
    install("plugin_faulty", code, entry="faulty")
    install("plugin_good", GOOD.format(name="good"))
    install("plugin_zz_good", GOOD.format(name="zz-good"))
    registry = use_new_registry(monkeypatch)
    records = records_of(registry)
    assert {*before, "good", "zz-good", "faulty"} == set(records)
    assert {"active"} == {records[name].status for name in (*EVALUATORS, "good", "zz-good")}
    record = records["faulty"]
    assert ("broken", "plugin-faulty", "1.0") == (
        record.status,
        record.distribution,
        record.version,
    )
    assert record.reason.startswith(reason)
    assert record.reason.isprintable()
    notes = " (--traceback shows all of it) (importing plugin_faulty)"
    assert len(record.reason) <= 300 + len(notes)
    with pytest.raises(EvaluatorError) as caught:
        registry.get("faulty")
    assert f"evaluator 'faulty' is broken: {record.reason}" == str(caught.value)
    with pytest.raises(EvaluatorError, match="no evaluator 'x'; there are: ") as caught:
        registry.get("x")
    end = "; 1 plugin is broken: faulty; `holdem evaluators` tells why"
    assert str(caught.value).endswith(end)


def test_entry_point_of_nothing(install):
    """It is listed as broken."""
    entry_points = "[holdem]\nfaulty = plugin_faulty:nothing\n"
    install("plugin_faulty", "x = 1", files={"entry_points.txt": entry_points})
    record = records_of(Registry())["faulty"]
    assert "broken" == record.status
    assert "has no attribute 'nothing'" in record.reason


@pytest.mark.parametrize("entry_points", ["[holdem]\nno equals sign\n", "[other]\nfaulty\n"])
def test_unreadable_entry_points(install, entry_points):
    """Other plugins work."""
    install("plugin_faulty", "x = 1", files={"entry_points.txt": entry_points})
    install("plugin_good", GOOD.format(name="good"))
    require_others_work(Registry(), also=["good"])


@pytest.mark.parametrize(
    ("entry", "shown"), [("x\x1b[2J", r"x\x1b[2J"), ("x" * 1000, "x" * 299 + "…")]
)
def test_names_of_entry_points(install, entry, shown):
    """Any name is shown as one printable line."""
    install("plugin_faulty", "import no_such_module", entry=entry)
    (record,) = [each for each in Registry().records() if each.status == "broken"]
    assert (shown, "plugin-faulty") == (record.name, record.distribution)


def test_load_fails(install):
    """After the first use the record has the reason."""
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


def test_name_of_two_distributions(install):
    """It is broken, and the reason names both, though their entry points have one name, too."""
    for place in range(2):
        code = SPEC + HOOK + f"return [spec('twin'), spec('only-{place}')]"
        install(f"plugin_twin_{place}", code, entry="pair", version=f"{place}.5")
    registry = Registry()
    record = records_of(registry)["twin"]
    assert "broken" == record.status
    owners = "plugin-twin-0 0.5 and plugin-twin-1 1.5"
    assert record.reason.startswith(f"2 plugins offer 'twin': {owners}; uninstall all but")
    with pytest.raises(EvaluatorError, match="evaluator 'twin' is broken: "):
        registry.get("twin")
    require_others_work(registry, also=["only-0", "only-1"])


def test_disabling_resolves_a_name_conflict(install, monkeypatch):
    install("plugin_twin_a", GOOD.format(name="twin"))
    install("plugin_twin_b", GOOD.format(name="twin"))
    monkeypatch.setenv(DISABLE_VARIABLE, "plugin_twin_a")
    registry = Registry()
    records = records_of(registry)
    assert "plugin-twin-b" == records["twin"].distribution
    assert "disabled" == records["plugin_twin_a"].status
    require_others_work(registry, also=["twin"])


def test_broken_entry_point_with_the_name_of_an_evaluator(install):
    """The evaluator works."""
    install("plugin_a_broken", "import no_such_module", entry="good")
    install("plugin_b_good", GOOD.format(name="good"), entry="zz")
    install("plugin_c_broken", "import no_such_module", entry="lookup")
    registry = Registry()
    records = records_of(registry)
    assert "broken" == records["good (plugin-a-broken)"].status
    assert "broken" == records["lookup (plugin-c-broken)"].status
    assert "plugin-b-good" == records["good"].distribution
    require_others_work(registry, also=["good"])

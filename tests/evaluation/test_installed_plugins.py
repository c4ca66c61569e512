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


@pytest.mark.parametrize(
    ("entry_points", "reason"),
    [
        ("[holdem]\nfaulty = not a module!\n", "(importing not a module!)"),
        ("[holdem]\nfaulty = plugin_faulty:nothing\n", "has no attribute 'nothing'"),
        ("[holdem]\nfaulty = no.such.place\n", "ModuleNotFoundError: No module named 'no'"),
    ],
)
def test_invalid_entry_point(install, entry_points, reason):
    install("plugin_faulty", "x = 1", files={"entry_points.txt": entry_points})
    registry = Registry()
    record = records_of(registry)["faulty"]
    assert "broken" == record.status
    assert reason in record.reason
    require_others_work(registry)


@pytest.mark.parametrize("entry_points", ["[holdem]\nno equals sign\n", "[other]\nfaulty\n"])
def test_unreadable_entry_points(install, entry_points):
    """Other plugins work."""
    install("plugin_faulty", "x = 1", files={"entry_points.txt": entry_points})
    install("plugin_good", GOOD.format(name="good"))
    require_others_work(Registry(), also=["good"])


@pytest.mark.parametrize(
    ("entry", "shown"),
    [
        ("x\x1b[2J", r"x\x1b[2J"),
        ("x\u202ey", r"x\u202ey"),  # what follows is shown from right to left
        ("lookup", "lookup (plugin-faulty)"),
        ("x" * 1000, "x" * 299 + "…"),
    ],
)
@pytest.mark.parametrize("code", ["import no_such_module", GOOD.format(name="mine")])
def test_names_of_entry_points(install, entry, shown, code):
    """Any name is shown as one printable line, and hides no evaluator."""
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


@pytest.mark.parametrize("count", [2, 3])
def test_name_of_several_distributions(install, count):
    """It is broken, and the reason names all of them."""
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


def test_disabling_resolves_a_name_conflict(install, monkeypatch):
    install("plugin_twin_a", GOOD.format(name="twin"))
    install("plugin_twin_b", GOOD.format(name="twin"))
    monkeypatch.setenv(DISABLE_VARIABLE, "plugin_twin_a")
    registry = Registry()
    records = records_of(registry)
    assert "plugin-twin-b" == records["twin"].distribution
    assert "disabled" == records["plugin_twin_a"].status
    require_others_work(registry, also=["twin"])


@pytest.mark.parametrize("name", ["lookup", "reference"])
def test_builtin_names_are_reserved(install, name):
    """A plugin that offers one is listed as broken."""
    install("plugin_usurper", SPEC + HOOK + f"return [spec('{name}'), spec('other')]")
    registry = Registry()
    record = records_of(registry)[f"{name} (plugin-usurper)"]
    assert "broken" == record.status
    assert f"'{name}' is the name of an evaluator of holdem" == record.reason
    require_others_work(registry, also=["other"])
    assert registry.get("lookup").check is None  # not checked: the tables are its own


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

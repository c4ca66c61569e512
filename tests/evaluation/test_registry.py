"""The registry, with real distributions on disk: a fault stays with the plugin that has it."""

import importlib
import subprocess
import sys
import threading

import numpy as np
import pytest
from faulty_plugins import FAULTS, GOOD, HOOK, SPEC
from hands import EVALUATORS, random_hands

import holdem
import holdem_peers
from holdem import notices
from holdem.errors import EvaluatorError, HoldemTypeError
from holdem.evaluation import reference
from holdem.evaluation.plugins import DISABLE_VARIABLE
from holdem.evaluation.registry import PEERS, Registry
from holdem_peers import adapters


@pytest.fixture(autouse=True)
def clean(monkeypatch):
    """Leave the environment, the path and the imported modules as they were."""
    monkeypatch.delenv(DISABLE_VARIABLE, raising=False)
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if name.startswith("plugin_"):
            del sys.modules[name]


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Return a function that installs a distribution of one module, as pip would leave it."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def install(module, code, *, entry=None, distribution=None, version="1.0", files=()):
        distribution = distribution or module.replace("_", "-")
        (tmp_path / f"{module}.py").write_text(code)
        info = tmp_path / f"{distribution.replace('-', '_')}-{version}.dist-info"
        info.mkdir(exist_ok=True)
        contents = {
            "METADATA": f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n",
            "entry_points.txt": f"[holdem]\n{entry or module} = {module}\n",
            **dict(files),
        }
        for name, content in contents.items():
            if content is not None:
                (info / name).write_text(content)
        importlib.invalidate_caches()

    return install


def records_of(registry):
    """Return the records by name; names are unique."""
    records = registry.records()
    names = [record.name for record in records]
    assert len(set(names)) == len(names)
    return dict(zip(names, records, strict=True))


def require_others_work(registry, *, also=()):
    """Assert that every evaluator that comes with the engine is active and ranks."""
    hands = random_hands(20, 7, seed=1)
    expected = registry.get("lookup").strengths(hands)
    records = records_of(registry)
    for name in (*EVALUATORS, *also):
        assert ("active", "") == (records[name].status, records[name].reason)
        evaluator = registry.get(name)
        classes = evaluator.scale.classes(evaluator.strengths(hands))
        np.testing.assert_array_equal(7463 - expected.astype(int), classes)


# --- what there is ---------------------------------------------------------------------


def test_the_engine_comes_with_its_evaluators():
    """Its own come first; each record has all its fields, ready for JSON."""
    records = records_of(Registry())
    assert ["lookup", "reference"] == list(records)[:2]
    assert set(EVALUATORS) <= set(records)
    for name, record in records.items():
        assert ("holdem", holdem.__version__) == (record.distribution, record.version)
        assert record.summary
        assert record.source
        assert ("standard" if name in EVALUATORS else record.rules) == record.rules
        fields = [*("name", "summary", "source", "hand_sizes", "rules")]
        fields += ["distribution", "version", "status", "reason"]
        assert fields == list(record.to_dict())
        assert name == record.to_dict()["name"]
    assert [5, 6, 7] == records["lookup"].to_dict()["hand_sizes"]
    assert [5] == records["reference"].to_dict()["hand_sizes"]
    require_others_work(Registry())


def test_listing_loads_nothing():
    """`import holdem; holdem.evaluators()` imports neither numba nor any kernel or table."""
    code = (
        "import sys, holdem\n"
        "assert len(holdem.evaluators()) >= 6\n"
        "holdem.get_evaluator('cactus-kev')\n"
        "print([name for name in sys.modules if name.partition('.')[0] in ('numba', 'llvmlite')\n"
        "       or name.endswith(('.kernel', '.kernels', '.tables', '.reference'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "[]" == done.stdout.strip()


def test_the_default_is_lookup():
    """No name means `lookup`; an evaluator stands for itself; a name gives one object."""
    registry = Registry()
    assert "lookup" == registry.get().name == registry.get(None).name
    assert registry.get("lookup") is registry.get()
    assert registry.get(registry.get("bitwise")) is registry.get("bitwise")


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
def test_an_unknown_name_lists_what_there_is(name, told):
    """The message shows the name, escaped, a near one, and all that can be used."""
    with pytest.raises(EvaluatorError) as caught:
        Registry().get(name)
    assert str(caught.value).startswith(told)
    assert str(caught.value).isprintable()
    assert str(caught.value).endswith(", and in a script those that it registers")


@pytest.mark.parametrize("name", [5, b"lookup", ["lookup"], reference.rank_batch])
def test_a_name_is_text(name):
    """Anything but text, a spec or an evaluator is a type error."""
    with pytest.raises(HoldemTypeError, match="an evaluator is named by text, not ") as caught:
        Registry().get(name)
    # A function is one that was not decorated.
    assert callable(name) == str(caught.value).endswith('with @holdem.evaluator("name")')


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


# --- plugins that are switched off -----------------------------------------------------


def test_all_plugins_can_be_switched_off(install, monkeypatch):
    """With `1` no entry point is loaded, not even imported; the engine's own stay."""
    install("plugin_exits", "import sys; sys.exit(1)")
    monkeypatch.setenv(DISABLE_VARIABLE, "1")
    registry = Registry()
    records = records_of(registry)
    assert {"lookup": "active", "reference": "active"} == {
        name: record.status for name, record in records.items() if record.status == "active"
    }
    assert {"disabled"} == {
        record.status for name, record in records.items() if name not in ("lookup", "reference")
    }
    assert f"by {DISABLE_VARIABLE}" == records["plugin_exits"].reason
    assert "plugin_exits" not in sys.modules
    assert holdem.evaluate("AsKsQsJsTs", evaluator=registry.get()).rank_class == 1
    with pytest.raises(
        EvaluatorError, match=f"evaluator 'bitwise' is disabled: by {DISABLE_VARIABLE}"
    ):
        registry.get("bitwise")
    with pytest.raises(EvaluatorError) as caught:
        registry.get("kev")
    told = str(caught.value)
    assert told.startswith(f"no evaluator 'kev' (disabled, by {DISABLE_VARIABLE}: bitwise, ")
    assert told.endswith("); there are: lookup, reference, and in a script those that it registers")


@pytest.mark.parametrize(
    "text", ["bitwise,plugin_entry", " bitwise , plugin_entry ,", ",,x,bitwise,good"]
)
def test_plugins_can_be_switched_off_by_name(install, monkeypatch, text):
    """A name in the list is an entry point's or an evaluator's; the rest work."""
    install("plugin_good", GOOD.format(name="good"), entry="plugin_entry")
    monkeypatch.setenv(DISABLE_VARIABLE, text)
    registry = Registry()
    off = {name for name, record in records_of(registry).items() if record.status == "disabled"}
    assert {"bitwise", "good" if "good" in text else "plugin_entry"} == off
    for name in ("lookup", "reference", "cactus-kev", "dead-horse", "suit-mask"):
        assert 1 == holdem.evaluate("AsKsQsJsTs", evaluator=registry.get(name)).rank_class


def test_the_engines_own_cannot_be_switched_off(monkeypatch):
    """`lookup` and `reference` are always there."""
    monkeypatch.setenv(DISABLE_VARIABLE, "lookup,reference")
    require_others_work(Registry())


@pytest.mark.parametrize("text", ["", " ", "0", "no-such-plugin"])
def test_other_values_switch_nothing_off(monkeypatch, text):
    """Only `1` means all."""
    monkeypatch.setenv(DISABLE_VARIABLE, text)
    require_others_work(Registry())


@pytest.mark.parametrize(
    ("text", "strays"),
    [("bitwize", ["bitwize"]), ("bitwise,x,lookup", ["lookup", "x"]), ("eval7,bitwise", [])],
)
def test_a_name_that_switches_nothing_off_is_told(monkeypatch, text, strays):
    """Whoever listens hears of each name that is neither a plugin's nor an evaluator's."""
    heard = []
    monkeypatch.setattr(notices, "listeners", [heard.append])
    monkeypatch.setattr(notices, "_said", set())
    monkeypatch.setenv(DISABLE_VARIABLE, text)
    Registry().records()
    assert heard == [
        f"note: {DISABLE_VARIABLE} has {stray!r}, and no plugin has that name or offers an"
        " evaluator that has"
        for stray in strays
    ]


@pytest.mark.parametrize("text", ["", "0", "1"])
def test_all_and_none_are_no_names(monkeypatch, text):
    """What switches all off, or nothing, is no stray name."""
    monkeypatch.setattr(notices, "listeners", [pytest.fail])
    monkeypatch.setattr(notices, "_said", set())
    monkeypatch.setenv(DISABLE_VARIABLE, text)
    Registry().records()


def test_a_peer_that_is_not_installed_says_how(monkeypatch):
    """Its name is known, and the message names the extra that brings its library."""
    monkeypatch.setattr(holdem_peers, "find_spec", lambda name: None)
    for name in PEERS:
        with pytest.raises(EvaluatorError) as caught:
            Registry().get(name)
        assert (
            f"no evaluator '{name}' (it comes with: pip install \"holdem[peers]\"); there"
            in str(caught.value)
        )


def test_the_peers_are_those_of_the_plugin():
    """The names that are known are those that the plugin would offer."""
    assert set(PEERS) == set(adapters.LOADERS)


def test_no_plugins_loads_no_entry_point(install):
    """`disable_plugins` keeps the engine's own and what the script registered."""
    install("plugin_exits", "import sys; sys.exit(1)")
    registry = Registry()
    registry.register(holdem.evaluator("script")(reference.strength))
    mine = registry.get("script")
    registry.disable_plugins()
    assert {"lookup", "reference", "script"} == set(records_of(registry))
    assert mine is registry.get("script")
    with pytest.raises(EvaluatorError) as caught:
        registry.get("bitwise")
    told = "no evaluator 'bitwise' (plugins are disabled, by --no-plugins); there are: lookup, ref"
    assert str(caught.value).startswith(told)
    fresh = Registry()
    fresh.disable_plugins()
    assert {"lookup", "reference"} == set(records_of(fresh))
    assert "plugin_exits" not in fresh.records()


# --- evaluators of the script ----------------------------------------------------------


def test_what_the_script_registers_is_found_by_name():
    """It is listed last, without a distribution, and ranks."""
    registry = Registry()
    spec = holdem.evaluator("script", summary="s", source="t")(reference.strength)
    assert spec is registry.register(spec)
    record = registry.records()[-1]
    assert ("script", "s", "t", "", "", "active", "") == (
        *(record.name, record.summary, record.source, record.distribution),
        *(record.version, record.status, record.reason),
    )
    assert registry.get("script") is registry.get(spec)
    require_others_work(registry, also=["script"])


@pytest.mark.parametrize("replace", [False, True])
@pytest.mark.parametrize("name", ["lookup", "bitwise"])
def test_an_installed_name_is_taken(name, replace):
    """A script cannot take the place of an installed evaluator; the owner is named."""
    registry = Registry()
    spec = holdem.evaluator(name)(reference.strength)
    with pytest.raises(EvaluatorError) as caught:
        registry.register(spec, replace=replace)
    assert f"the name '{name}' is taken by holdem {holdem.__version__}" == str(caught.value)
    require_others_work(registry)


def test_a_registered_name_is_taken_unless_it_is_replaced():
    """The same name twice is an error; with `replace=True` the new one counts from then on."""
    registry = Registry()
    first = registry.register(holdem.evaluator("script")(reference.strength))
    doubled = holdem.evaluator("script")(lambda cards: 2 * reference.strength(cards))
    with pytest.raises(EvaluatorError, match=r"taken by this script \(replace=True takes its"):
        registry.register(doubled)
    hands = random_hands(5, 5, seed=1)
    before = registry.get("script").strengths(hands)
    registry.register(doubled, replace=True)
    np.testing.assert_array_equal(2 * before, registry.get("script").strengths(hands))
    np.testing.assert_array_equal(before, registry.get(first).strengths(hands))
    assert 1 == [record.name for record in registry.records()].count("script")


def test_the_name_of_a_broken_plugin_is_taken(install):
    """A broken or disabled plugin keeps its name, so that no script hides the fault."""
    install("plugin_faulty", "import no_such_module", entry="faulty")
    with pytest.raises(EvaluatorError, match=r"'faulty' is taken by plugin-faulty 1\.0"):
        Registry().register(holdem.evaluator("faulty")(reference.strength), replace=True)


def test_only_specs_are_registered():
    """A function that is not decorated is a type error."""
    with pytest.raises(HoldemTypeError, match="register takes an EvaluatorSpec, not <function"):
        Registry().register(reference.strength)


def test_a_registry_is_safe_in_threads(install):
    """Many threads that ask at once see one discovery and the same evaluators."""
    code = GOOD.format(name="good")
    install("plugin_good", code)
    registry = Registry()
    start = threading.Barrier(8)
    found = []

    def ask():
        start.wait()
        found.append((registry.get("good"), registry.get("lookup")))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 8 == len(found)
    assert 1 == len(set(found))

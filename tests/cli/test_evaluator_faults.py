"""Evaluators that go wrong while they run: a right answer, or one named error.

Each is a distribution of its own, found through its entry point, and asked through the
command line. Never a traceback, a wrong number, or another evaluator's trouble.
"""

import json
import os
import signal
import subprocess
import sys

import pytest
from installed import offer, registry_anew

import holdem as holdem_api
from holdem.cli import run

PAIRS = "7c5d4h3s2c | KdQsJcTh9s\nAsKsQsJsTs 2c2d2h2s3c\n"
COMMANDS = {
    "evaluate": ["evaluate", "As Ks Qs Js Ts 2c 3d"],
    "exact": ["equity", "AsKs", "QdQh", "--board", "Td9d2c"],
    "sampled": ["equity", "AsKs", "QdQh", "--method", "monte-carlo", "--deals", "9000"],
    "head-to-head": ["head-to-head", "AsKs", "QdQh", "--deals", "9000"],
    "compare": ["compare", "pairs.txt"],
}
SEEDED = {"sampled": ["--seed", "7", "-j", "2"], "head-to-head": ["--seed", "7", "-j", "2"]}


@pytest.fixture
def directory(tmp_path, monkeypatch):
    """Return a directory in which distributions are found, and in which commands run."""
    (tmp_path / "pairs.txt").write_text(PAIRS)
    monkeypatch.chdir(tmp_path)
    with registry_anew(tmp_path):
        yield tmp_path


def ask(command, evaluator, capsys):
    """Run a command; return exit code, answer, and what was told beside it."""
    code = run(
        [*COMMANDS[command], *SEEDED.get(command, ()), "--evaluator", evaluator, "-f", "json"]
    )
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def figures(answer):
    """Return an answer without what differs from evaluator to evaluator and run to run."""
    found = json.loads(answer)
    return {key: found[key] for key in found if key not in ("evaluator", "elapsed", "strength")}


def require_right(command, capsys):
    """Assert that `mine` gives the very answer that `lookup` gives, and return what was told."""
    code, expected, told = ask(command, "lookup", capsys)
    assert (code, told) == (0, "")
    code, answer, told = ask(command, "mine", capsys)
    assert code == 0, told
    assert json.loads(answer)["evaluator"] == {"name": "mine", "version": "1.0"}
    assert figures(answer) == figures(expected)
    return told


def require_error(command, told, capsys):
    """Assert one line that names the evaluator, exit code 2, and that others still work."""
    code, answer, message = ask(command, "mine", capsys)
    assert (code, answer) == (2, "")
    assert message.startswith("holdem: evaluator 'mine'")
    assert told in message
    assert message.count("\n") == 1
    assert message.strip().isprintable()
    assert ask(command, "lookup", capsys)[0] == 0


@pytest.mark.parametrize("command", COMMANDS)
def test_one_without_a_fault(command, directory, capsys):
    """The plugin that the faults are put into gives the right answers without one."""
    offer(directory, "mine", "")
    assert require_right(command, capsys) == ""


def test_calls_before_the_first_answer(directory):
    """Loading the plugin makes the calls that the tests of faults in mid-run let pass."""
    offer(directory, "mine", "")
    evaluator = holdem_api.get_evaluator("mine")
    evaluator.scale  # noqa: B018 - loads it
    module = sys.modules["plugin_under_test"]
    assert module.state["calls"] == module.LOADING


# --- wrong strengths -------------------------------------------------------------------

ANSWERS = {
    "a column": ("strengths[:, None]", "answered shape ("),
    "too few": ("strengths[1:]", "answered shape ("),
    "too many": ("np.concatenate([strengths, strengths])", "answered shape ("),
    "one number": ("int(strengths[0])", "answered int, not an array of integers"),
    "nothing": ("None", "answered NoneType, not an array of integers"),
    "a list": ("strengths.tolist()", "answered list, not an array of integers"),
    "floats": ("strengths.astype(float)", "answered float64, not an array of integers"),
    "NaN": ("strengths * np.nan", "answered float64, not an array of integers"),
    "text": ("strengths.astype(str)", "answered <U21, not an array of integers"),
    "objects": ("strengths.astype(object)", "answered object, not an array of integers"),
    "truth values": ("strengths > 0", "answered bool, not an array of integers"),
    "complex": ("strengths * 1j", "answered complex128, not an array of integers"),
    "a generator": ("(s for s in strengths)", "answered generator, not an array of integers"),
    "an array of no kind": (
        "type('Array', (), {'dtype': property(lambda self: 1 / 0)})()",
        "answered Array, not an array of integers",
    ),
    "a column of the hands": ("hands[:, :1]", "answered shape ("),
    "times": ("strengths.astype('m8[s]')", "answered timedelta64[s], not an array of integers"),
}


@pytest.mark.parametrize(("answer", "told"), ANSWERS.values(), ids=ANSWERS)
def test_strengths_of_the_wrong_kind_at_once(answer, told, directory, capsys):
    """Anything but integers (hand,) is refused when the evaluator is loaded."""
    offer(directory, "mine", f"def change(hands, strengths):\n    return {answer}\n")
    require_error("exact", told, capsys)


@pytest.mark.parametrize("command", ["exact", "sampled", "head-to-head"])
@pytest.mark.parametrize(("answer", "told"), ANSWERS.values(), ids=ANSWERS)
def test_strengths_of_the_wrong_kind_in_mid_run(answer, told, command, directory, capsys):
    """So it is in the middle of a run, when the classes were in order."""
    code = f"""
def change(hands, strengths):
    return {answer} if state["calls"] > LOADING else strengths
"""
    offer(directory, "mine", code)
    require_error(command, told, capsys)


ORDERS = {
    "reversed": ("-strengths", "misorders Royal Flush"),
    "all ties": ("strengths * 0", "ties Royal Flush"),
    "one class tied": ("np.where(strengths == 5000, 4999, strengths)", "ties "),
    "one class misplaced": ("np.where(strengths == 5000, 0, strengths)", "misorders "),
    "at random": ("np.random.default_rng(1).permutation(strengths)", "neighbours are wrong"),
    "by the row": ("np.arange(len(hands))", "misorders Royal Flush"),
    "above 63 bits": ("strengths.astype('u8') + np.uint64(1 << 63)", "strengths above 2^63-1"),
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(("answer", "told"), ORDERS.values(), ids=ORDERS)
def test_classes_out_of_order(answer, told, command, directory, capsys):
    """Whatever the question, an evaluator that misorders or ties classes is not used for it."""
    offer(directory, "mine", f"def change(hands, strengths):\n    return {answer}\n")
    require_error(command, told, capsys)


def test_a_scale_of_its_own(directory, capsys):
    """Strengths of any size and sign are right as long as they are in order."""
    code = "def change(hands, strengths):\n    return (strengths - 4000) * 10**15\n"
    offer(directory, "mine", code)
    for command in COMMANDS:
        require_right(command, capsys)


ARRAYS = {
    "big-endian": "strengths.astype('>i8')",
    "every third place": "np.repeat(strengths, 3)[::3]",
    "backwards": "strengths[::-1].copy()[::-1]",
    "read-only": "np.frombuffer(strengths.tobytes(), dtype=np.int64)",
    "16 bits": "strengths.astype('i2')",
    "unsigned": "strengths.astype('u8')",
    "another kind each time": "strengths.astype(['i2', 'u4', '>i8', 'u8'][state['calls'] % 4])",
    "masked": "np.ma.masked_array(strengths, mask=strengths > 3000)",
    "a class of its own": "strengths.view(type('Own', (np.ndarray,), {'max': None}))",
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("answer", ARRAYS.values(), ids=ARRAYS)
def test_any_array_of_integers(answer, command, directory, capsys):
    """However the integers lie in memory, and whatever else the array can do, they count."""
    offer(directory, "mine", f"def change(hands, strengths):\n    return {answer}\n")
    assert require_right(command, capsys) == ""


DRIFTS = {
    "reversed": "-strengths",
    "all ties": "strengths * 0 + 7",
    "8 bits": "strengths.astype('u1')",
    "off the scale": "strengths.astype('u8') + np.uint64(1 << 63)",
    "by one": "strengths + 1",
    "by the call": "strengths + state['calls']",
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("answer", DRIFTS.values(), ids=DRIFTS)
def test_another_order_in_mid_run(answer, command, directory, capsys):
    """An evaluator that was right when it was loaded, and is no longer, gives no answer."""
    code = f"""
def change(hands, strengths):
    return {answer} if state["calls"] > LOADING else strengths
"""
    offer(directory, "mine", code)
    require_error(command, "answers otherwise than before: ", capsys)


@pytest.mark.parametrize("command", ["exact", "sampled", "head-to-head"])
def test_another_order_late_in_a_run(command, directory, capsys):
    """So it is after many hands, and where only those of five are its own."""
    code = """
SIZES = {5}


def change(hands, strengths):
    state["hands"] = state.get("hands", 0) + len(hands)
    return -strengths if state["hands"] > 40_000 else strengths
"""
    offer(directory, "mine", code)
    require_error(command, "answers otherwise than before: ", capsys)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("sizes", ["{5}", "{5, 6, 7}"])
def test_one_array_for_all_answers(command, sizes, directory, capsys):
    """An evaluator that writes each answer over the one before is refused, also in one thread."""
    code = f"""
SIZES = {sizes}


def change(hands, strengths):
    if len(state.setdefault("answers", np.empty(0, np.int64))) < len(hands):
        state["answers"] = np.empty(len(hands), np.int64)
    answers = state["answers"][:len(hands)]
    answers[:] = strengths
    return answers
"""
    offer(directory, "mine", code)
    require_error(command, "returns the same array from call to call", capsys)


# --- the hands that it is given --------------------------------------------------------


@pytest.mark.parametrize(
    "change", ["hands[:] = 0", "hands.sort(axis=1)", "hands += 1", "hands.partition(2, axis=1)"]
)
def test_it_changes_its_input(change, directory, capsys):
    """The hands are read-only: numpy refuses, and the error is the evaluator's."""
    offer(directory, "mine", f"def change(hands, strengths):\n    {change}\n    return strengths\n")
    require_error("exact", "failed: ValueError: ", capsys)


def test_it_changes_its_input_behind_numpy(directory, capsys):
    """Compiled code that sorts in place, read-only or not, is found before the first answer."""
    code = """
def change(hands, strengths):
    import ctypes
    content = np.sort(hands, axis=1).tobytes()
    ctypes.memmove(hands.ctypes.data, content, len(content))
    return strengths
"""
    offer(directory, "mine", code)
    require_error("exact", "changes the hands that it is given", capsys)


def test_a_kernel_that_changes_its_input(directory, capsys):
    """A kernel that writes to the hands is refused by numba."""
    code = """
def load():
    from numba import njit

    @njit
    def rank(hands):
        hands[0, 0] = 3
        return np.arange(len(hands))

    return rank
"""
    offer(directory, "mine", code)
    require_error("exact", "failed: TypingError: ", capsys)


# --- raising ---------------------------------------------------------------------------

RAISES = {
    "an exception": (
        "raise ArithmeticError('over\\nflow \\x1b[31m')",
        "failed: ArithmeticError: over",
    ),
    "an assertion": ("assert len(hands) == 0", "failed: AssertionError"),
    "exit": ("raise SystemExit(0)", "failed: SystemExit: 0"),
    "quit": ("import sys; sys.exit('bye')", "failed: SystemExit: bye"),
    "out of memory": ("raise MemoryError", "failed: MemoryError"),
    "stop": ("raise StopIteration", "failed: StopIteration"),
    "a generator's end": ("raise GeneratorExit", "failed: GeneratorExit"),
    "another root": ("raise type('Odd', (BaseException,), {{}})('odd')", "failed: Odd: odd"),
    "no end of calls": ("change(hands, strengths)", "failed: RecursionError"),
    "what Ctrl-C raises": ("raise KeyboardInterrupt", "failed: KeyboardInterrupt"),
    "a value": ("hands[:, 9]", "failed: IndexError"),
}


@pytest.mark.parametrize("command", ["exact", "sampled", "head-to-head"])
@pytest.mark.parametrize(("raises", "told"), RAISES.values(), ids=RAISES)
def test_it_raises_in_mid_run(raises, told, command, directory, capsys):
    """Whatever is raised, in whichever thread, ends in one line with the evaluator's name."""
    code = f"""
def change(hands, strengths):
    if state["calls"] > LOADING:
        {raises.replace("{{}}", "{}")}
    return strengths
"""
    offer(directory, "mine", code)
    require_error(command, told, capsys)


@pytest.mark.parametrize("command", ["exact", "sampled", "head-to-head"])
def test_it_raises_for_one_hand(command, directory, capsys):
    """One hand among thousands is enough for no answer at all: none is made up."""
    code = """
def change(hands, strengths):
    if hands.shape[1] == 7 and (strengths == strengths.max()).any() and state["calls"] > LOADING:
        raise LookupError("no such hand")
    return strengths
"""
    offer(directory, "mine", code)
    require_error(command, "failed: LookupError: no such hand", capsys)


LOADS = {
    "raises": ("raise OSError('no table')", "cannot be loaded: OSError: no table"),
    "exits": ("raise SystemExit(0)", "cannot be loaded: SystemExit: 0"),
    "another root": ("raise BaseException('odd')", "cannot be loaded: BaseException: odd"),
    "nothing": ("return None", "load returned None, not a function"),
    "no function": ("return 7", "load returned 7, not a function"),
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(("does", "told"), LOADS.values(), ids=LOADS)
def test_a_load_that_fails(does, told, command, directory, capsys):
    """So does a load that fails."""
    offer(directory, "mine", f"def load():\n    {does}\n")
    require_error(command, told, capsys)


# --- being slow, being busy ------------------------------------------------------------


@pytest.mark.parametrize("command", COMMANDS)
def test_a_thousand_times_slower(command, directory, capsys):
    """`lookup` takes 3 ns a hand; one that takes 3 µs gives the same answer, only later."""
    code = """
def change(hands, strengths):
    for _ in range(100 * len(hands)):
        pass
    return strengths
"""
    offer(directory, "mine", code)
    assert require_right(command, capsys) == ""


@pytest.mark.parametrize("command", ["sampled", "head-to-head"])
def test_it_uses_the_global_random_generators(command, directory, capsys):
    """Seeding them and drawing from them changes no answer: the engine has its own."""
    code = """
def change(hands, strengths):
    import random
    random.seed(1)
    np.random.seed(1)
    np.random.random(5)
    return strengths
"""
    offer(directory, "mine", code)
    require_right(command, capsys)


# --- printing --------------------------------------------------------------------------

PRINTS = {
    "print": "print('hello', len(hands))",
    "in pieces": "import sys; sys.stdout.writelines(['{', 'hello']); sys.stdout.flush()",
    "bytes": "import sys; sys.stdout.buffer.write(b'hello')",
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("prints", PRINTS.values(), ids=PRINTS)
def test_it_prints(prints, command, directory, capsys):
    """What it prints goes to standard error; the answer stays what it is."""
    code = f"def change(hands, strengths):\n    {prints}\n    return strengths\n"
    offer(directory, "mine", code)
    assert "hello" in require_right(command, capsys)


# Prints wherever it can: at import, in the hook's module, in load, in every call, past
# Python, from a thread of its own, and when the program ends.
CHATTY = """
import atexit
import os
import threading

print("import")
os.write(1, b"import, past Python\\n")
atexit.register(print, "exit")
atexit.register(os.write, 1, b"exit, past Python\\n")
real_load = load


def load():
    print("load")
    return real_load()


def change(hands, strengths):
    print("call")
    os.write(1, b"call, past Python\\n")
    thread = threading.Thread(target=print, args=("thread",))
    thread.start()
    thread.join()
    return strengths
"""


def holdem(directory, *arguments, **environment):
    """Run the command line in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "holdem", *arguments],
        cwd=directory,
        env={**os.environ, "PYTHONPATH": str(directory), **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_it_prints_wherever_it_can(directory, capsys):
    """Standard output holds the answer and nothing else, whoever prints, when, and how."""
    expected = ask("sampled", "lookup", capsys)[1]
    offer(directory, "mine", CHATTY)
    arguments = [*COMMANDS["sampled"], "--seed", "7", "--evaluator", "mine", "-f", "json"]
    done = holdem(directory, *arguments)
    assert done.returncode == 0, done.stderr
    assert figures(done.stdout) == figures(expected)
    told = done.stderr.splitlines()
    for line in ("import", "load", "call", "exit"):
        assert line in told
        assert line == "load" or f"{line}, past Python" in told
    assert "thread" in told


def test_lists_and_errors_stay_clean_too(directory):
    """The list of evaluators is JSON though one of them prints when it is imported."""
    offer(directory, "mine", CHATTY)
    done = holdem(directory, "evaluators", "-f", "json")
    assert "mine" in {record["name"] for record in json.loads(done.stdout)}
    assert "import" in done.stderr.splitlines()
    done = holdem(directory, "evaluators", "check", "mine", "--hands", "10", "-f", "json")
    assert done.returncode == 1
    (found,) = json.loads(done.stdout)["evaluators"]
    failed = {check["name"]: check["failure"] for check in found["checks"] if check["failure"]}
    assert set(failed) == {"output"}
    assert failed["output"]["answered"].startswith("it wrote 'call, past Python call, past ")


# --- dying -----------------------------------------------------------------------------


def test_it_ends_the_process(directory):
    """`os._exit` is out of anyone's hands: the program ends, and has said nothing wrong."""
    code = """
def change(hands, strengths):
    if state["calls"] > LOADING:
        import os
        os._exit(3)
    return strengths
"""
    offer(directory, "mine", code)
    done = holdem(directory, *COMMANDS["sampled"], "--evaluator", "mine", "-f", "json")
    assert (done.returncode, done.stdout) == (3, "")


DEATHS = {
    "exit": ("os._exit(3)", "ended its process (exit code 3)"),
    "killed": ("os.kill(os.getpid(), 9)", "ended its process (SIGKILL)"),
    "raises": ("raise ArithmeticError('overflow')", "failed: ArithmeticError: overflow"),
    "SystemExit": ("raise SystemExit(4)", "failed: SystemExit: 4"),
    "KeyboardInterrupt": ("raise KeyboardInterrupt", "failed: KeyboardInterrupt"),
}


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
@pytest.mark.parametrize(("dies", "told"), DEATHS.values(), ids=DEATHS)
def test_it_dies_in_a_worker_process(dies, told, directory):
    """A slow evaluator is asked in processes; one that ends there is one named error."""
    code = f"""
import os


def change(hands, strengths):
    for _ in range(200 * len(hands)):
        pass
    if os.getppid() == int(os.environ.get("PROGRAM", 0)) and state["calls"] > LOADING:
        {dies}
    return strengths
"""
    offer(directory, "mine", code)
    # The shell becomes the program, so that its own id is known to the evaluator.
    shell = 'PROGRAM=$$ exec "$0" -m holdem "$@"'
    arguments = [*COMMANDS["sampled"][:-1], "10000000", "-j", "2", "--evaluator", "mine"]
    done = subprocess.run(
        ["sh", "-c", shell, sys.executable, *arguments, "-f", "json"],
        cwd=directory,
        env={**os.environ, "PYTHONPATH": str(directory)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    # A line may go before it that says that something is compiled.
    *_, last = done.stderr.splitlines()
    assert last.startswith("holdem: evaluator 'mine' ")
    assert told in last
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize("does", ["pass", 'print("endless", flush=True)'])
def test_it_never_returns(does, workers, directory):
    """Ctrl-C ends the program though the evaluator does not end, in one thread or several.

    One that goes on printing meets every moment of the end, and none of it is an answer.
    """
    code = """
def change(hands, strengths):
    if state["calls"] > LOADING:
        print("endless", flush=True)
        while True:
            DOES
    return strengths
"""
    offer(directory, "mine", code.replace("DOES", does))
    arguments = [*COMMANDS["sampled"], "-j", workers, "--evaluator", "mine", "-f", "json"]
    process = subprocess.Popen(
        [sys.executable, "-m", "holdem", *arguments],
        cwd=directory,
        env={**os.environ, "PYTHONPATH": str(directory)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    # Two threads say so, maybe both on one line.
    assert process.stderr.readline().startswith("endless")
    process.send_signal(signal.SIGINT)
    out, told = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert "Traceback" not in told

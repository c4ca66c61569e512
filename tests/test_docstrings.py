"""The examples in the docstrings of public names run, and give the answers shown."""

import doctest

import pytest

import holdem

EXAMPLES = {
    name: examples
    for name in holdem.__all__
    if (doc := getattr(holdem, name).__doc__)
    and (examples := doctest.DocTestParser().get_examples(doc))
}


def test_the_main_functions_have_an_example():
    functions = {"equity", "equities", "equity_matrix", "evaluate", "hits", "explain", "Range"}
    functions |= {"deal", "estimate", "simulate", "head_to_head", "settle"}
    assert functions <= set(EXAMPLES)


@pytest.mark.parametrize("name", EXAMPLES)
def test_example(name):
    test = doctest.DocTest(EXAMPLES[name], {}, name, None, 0, None)
    report = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(test, out=report.append)
    assert runner.failures == 0, "".join(report)

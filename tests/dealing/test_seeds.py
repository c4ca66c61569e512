"""Validation of seeds, and independence of streams."""

import os

import numpy as np
import pytest

import holdem
from holdem import HoldemError, HoldemTypeError, SeedError
from holdem.dealing.seeds import MAX_SEED, counter_start, resolve_seed, stream


@pytest.mark.parametrize("seed", [0, 7, 2**53 - 1, np.int64(7), np.uint8(255)])
def test_seed_in_range_is_kept(seed):
    """A seed in range comes back as a plain int of the same value."""
    assert (int, int(seed)) == (type(resolve_seed(seed)), resolve_seed(seed))


@pytest.mark.parametrize(("byte", "seed"), [(b"\0", 0), (b"\xff", 2**53 - 1)])
def test_drawn_seed_spans_the_whole_range(monkeypatch, byte, seed):
    """Drawn seeds range from 0 to 2^53-1."""
    monkeypatch.setattr(os, "urandom", lambda size: byte * size)
    assert seed == resolve_seed(None)


def test_drawn_seeds_use_every_bit(monkeypatch):
    """Each of the 53 bits of a drawn seed is a different bit of the entropy."""
    drawn = []
    for bit in range(56):
        word = (1 << bit).to_bytes(7, "little")
        monkeypatch.setattr(os, "urandom", lambda size, word=word: word[:size])
        drawn.append(resolve_seed(None))
    assert [1 << bit for bit in range(53)] == [seed for seed in drawn if seed]


def test_drawn_seeds_differ():
    """Two drawn seeds differ, except with a probability of 2^-53."""
    assert resolve_seed(None) != resolve_seed(None)


@pytest.mark.parametrize(
    ("seed", "shown"),
    [(-1, "-1"), (2**64, "18446744073709551616"), (-(10**5000), "a number of 16610 bits")],
    ids=["negative", "too large", "too long to print"],
)
def test_seed_out_of_range_is_refused(seed, shown):
    """A number outside 0..2^64-1 raises SeedError, with a short message."""
    with pytest.raises(SeedError) as caught:
        resolve_seed(seed)
    assert f"seed must be an integer from 0 to 2^64-1, not {shown}" == str(caught.value)


@pytest.mark.parametrize(
    "seed", [True, False, 7.0, "7", b"7", [7], np.bool_(True), np.float64(7), np.zeros((60, 60))]
)
def test_seed_of_a_wrong_type_is_refused(seed):
    """A value that is not an integer raises HoldemTypeError, even if it equals one."""
    with pytest.raises(HoldemTypeError) as caught:
        resolve_seed(seed)
    assert str(caught.value).startswith("seed must be an integer from 0 to 2^64-1, not ")
    assert len(str(caught.value).splitlines()) == 1
    assert isinstance(caught.value, HoldemError)
    assert isinstance(caught.value, TypeError)


def test_derivation_is_pinned():
    """A seed gives the same stream on every machine and in every version."""
    assert stream(7, "deck").bit_generator.random_raw() == 15921695938535348881
    assert stream(MAX_SEED, "deck", 3).bit_generator.random_raw() == 17276461113898335093
    assert stream(7, "deck", 5 << 32 | 3).bit_generator.random_raw() == 7995346327286744444
    assert counter_start(7, "hands") == 3671225779438568354


def test_different_paths_give_different_streams():
    """Streams differ by seed, and by the names, numbers, order and grouping of the path."""
    streams = [
        (7,),
        (8,),
        (7, "a"),
        (7, "b"),
        (7, "ab"),
        (7, "a", "b"),
        (7, "b", "a"),
        (7, 1),
        (7, "1"),
        (7, 1, 2),
        (7, 2, 1),
        (7, 1 + 2 * 2**32),
        (7, 1, 0),
        (7, 0, 1),
        (7, 2**64 - 1),
    ]
    words = [int(stream(*path).bit_generator.random_raw()) for path in streams]
    words += [counter_start(*path) for path in streams]
    assert 2 * len(streams) == len(set(words))


def test_neighbouring_streams_are_uncorrelated():
    """Neighbouring streams are uncorrelated.

    The correlation of n independent pairs has the standard error 1/sqrt(n); over the 45
    pairs of ten streams none is beyond 5 of them (a chance of 45 * 5.7e-7 = 2.6e-5).
    """
    numbers = 10_000
    drawn = np.array([stream(7, "block", block).random(numbers) for block in range(10)])
    correlations = np.corrcoef(drawn)[np.triu_indices(10, 1)]
    assert np.abs(correlations).max() < 5 / np.sqrt(numbers)


def test_large_seeds_and_sequences_are_hashed():
    """A seed from 2^53 on is hashed like a sequence made of it; the results tell one below."""
    assert resolve_seed(2**53) == resolve_seed(np.random.SeedSequence(2**53)) == 3618076533414971
    for seed in (2**64 - 1, np.uint64(2**63), *np.random.SeedSequence(7).spawn(2)):
        found = resolve_seed(seed)
        assert 0 <= found <= MAX_SEED
        assert found == resolve_seed(seed)
        assert found == holdem.deal(hands=1, seed=seed).seed == holdem.Deck(seed).seed
        assert holdem.deal(hands=9, seed=seed) == holdem.deal(hands=9, seed=found)
    children = np.random.SeedSequence(7).spawn(1000)
    assert len({resolve_seed(child) for child in children}) == 1000
    halves = np.array([resolve_seed(child) for child in children]) > MAX_SEED / 2
    assert 400 < halves.sum() < 600


def test_every_door_takes_a_sequence():
    """The answers are those of the seed that the results tell."""
    sequence = np.random.SeedSequence(2**80)
    seed = resolve_seed(sequence)
    spot = ("AsKs", "random", "random")
    sampled = {"method": "monte-carlo", "deals": 1000}
    assert holdem.equity(*spot, seed=sequence, **sampled) == holdem.equity(
        *spot, seed=seed, **sampled
    )
    table = holdem.equities(*([part] for part in spot), seed=sequence, **sampled)
    assert table.seed == seed
    assert holdem.head_to_head("AsKs", "QQ", deals=1000, seed=sequence).seed == seed
    assert holdem.aggregate(hands=100, seed=sequence).seed == seed
    assert holdem.estimate(lambda h: h.winners[:, 0], hands=100, seed=sequence).seed == seed
    assert next(holdem.simulate(seed=sequence)).seed == seed
    assert (
        holdem.Range("QQ+").sample(9, seed=sequence) == holdem.Range("QQ+").sample(9, seed=seed)
    ).all()
    assert holdem.Game([100, 100], (1, 2), seed=sequence).seed == seed

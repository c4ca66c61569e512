"""The PettingZoo environment of the guide."""

import runpy

import pytest
from pettingzoo.test import api_test

from update_examples import ROOT


@pytest.fixture(scope="module")
def environment():
    return runpy.run_path(str(ROOT / "docs" / "examples" / "holdem_env.py"))["HoldemEnv"]


def test_pettingzoo_accepts_it(environment):
    api_test(environment(players=3), num_cycles=100)


@pytest.mark.parametrize("players", [2, 9])
def test_rewards_are_what_the_hands_have_won(environment, players):
    env = environment(players, stack=50)
    for seed in range(40):
        env.reset(seed=seed)
        for agent in env.possible_agents:
            env.action_space(agent).seed(seed)
        rewards = {}
        for agent in env.agent_iter():
            observation, reward, terminated, _, _ = env.last()
            assert env.observation_space(agent).contains(observation)
            position = int(agent.removeprefix("player_"))
            assert observation[-players + position] == 1
            assert observation[:52].sum() == 2
            assert observation[52:104].sum() == len(env.game.board)
            if terminated:
                rewards[agent] = 50 * reward
            else:
                assert reward == 0
                assert position == env.game.position
            env.step(None if terminated else env.action_space(agent).sample())
        assert tuple(rewards.values()) == pytest.approx(env.game.net)

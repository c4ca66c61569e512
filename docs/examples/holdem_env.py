"""Hold'em as an environment of PettingZoo: an agent is a position, an episode is a hand."""

import numpy as np
from gymnasium.spaces import Box, Discrete
from pettingzoo import AECEnv

import holdem


class HoldemEnv(AECEnv):
    metadata = {"name": "holdem_v0"}

    def __init__(self, players=2, stack=200):
        self.possible_agents = [f"player_{position}" for position in range(players)]
        self.stack, self.actions = stack, Discrete(5)
        self.seen = Box(0, players, (104 + 4 * players,), np.float32)

    def reset(self, seed=None, options=None):
        self.agents = self.possible_agents.copy()
        self.game = holdem.Game([self.stack] * len(self.agents), blinds=(1, 2), seed=seed)
        self.infos = {agent: {} for agent in self.agents}
        self.truncations = dict.fromkeys(self.agents, False)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.update()

    def step(self, action):
        if self.game.is_over:
            self._was_dead_step(action)
            return
        d = self.game.decision
        by_pot = max(d.min_raise, min(d.highest + d.pot + d.to_call, d.max_raise))
        self.game.act([d.FOLD, d.CALL, d.min_raise, by_pot, d.max_raise][action])
        self.update()

    def update(self):
        game, won = self.game, np.array(self.game.net) / self.stack
        self.rewards = dict(zip(self.agents, won if game.is_over else 0 * won))
        self.terminations = dict.fromkeys(self.agents, game.is_over)
        self._accumulate_rewards()
        self.agent_selection = self.agents[0 if game.is_over else game.position]

    def observe(self, agent):
        game, position = self.game, self.possible_agents.index(agent)
        cards, everyone = np.zeros(104), np.arange(game.players)
        cards[[int(card) for card in game.holes[position]]] = 1
        cards[[52 + int(card) for card in game.board]] = 1
        chips = np.array([game.bets, game.stacks]) / self.stack
        marks = [np.isin(everyone, game.live), everyone == position]
        return np.concatenate([cards, chips, marks], axis=None, dtype=np.float32)

    def observation_space(self, agent):
        return self.seen

    def action_space(self, agent):
        return self.actions

    def render(self):
        print(self.game)

    def close(self):
        pass

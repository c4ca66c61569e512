import numpy as np

import holdem


@holdem.strategy("patient")
def patient(decision):
    """Plays the best 15 % of its hole cards, and bets with top pair or better."""
    d = decision
    opens = d.percentile >= np.where(d.raises == 0, 0.85, 0.95)
    before = np.where(opens, 3 * d.highest, d.FOLD)

    good = d.has("top pair+")
    bet = d.highest + 2 / 3 * (d.pot + d.to_call)
    cheap = d.to_call <= 0.25 * d.winnable
    after = np.select([good & (d.raises < 2), good | cheap], [bet, d.CALL], d.FOLD)
    return np.where(d.street == 0, before, after)

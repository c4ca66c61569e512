"""How does the equity change from street to street?
====================================================

Several spots at once, then a range combo by combo, and a pot of four players.

    python scripts/examples/equities_of_spots.py [DEALS]
"""

from __future__ import annotations

import sys

import holdem

SEED = 7


def several_spots() -> holdem.EquityTable:
    """Print the equity of ace-king against queens from before the flop to the river."""
    boards = ["", "Td9d2c", "Td9d2c7h", "Td9d2c7h3s"]
    table = holdem.equities("AsKs", "QdQh", board=boards)
    print("AsKs against QdQh\n\nboard           AsKs      QdQh       deals")
    for spot in table:
        assert spot.equity is not None  # only invalid spots have none
        hero, villain = spot.equity
        print(f"{spot.board or '-':10} {hero:9.3%} {villain:9.3%} {spot.deals:11,}")
    return table


def one_range() -> None:
    """Print the combos of a range on a flop, best first, with their weights."""
    result = holdem.equity("QQ+:0.5,AKs", "TT+,AQ+", board="Td9d2c")
    player = result.players[0]
    print(f"\n{player.range} against {result.players[1].range} on Td9d2c: {player.equity:.3%}\n")
    print("combo  weight    equity")
    for combo in sorted(player.by_combo, key=lambda record: record.equity or 0.0, reverse=True):
        print(f"{combo.combo}   {combo.weight:6}  {combo.equity:8.3%}")


def four_players(deals: int) -> None:
    """Print a sampled spot with four players, with 95 % confidence intervals."""
    result = holdem.equity(
        "AsKs", "JJ+", "T9s", "random", method="monte-carlo", deals=deals, seed=SEED
    )
    print(f"\nfour players, {result.deals:,} sampled deals, seed {SEED}\n")
    print("player    equity   95 % interval")
    total = 0.0
    for player in result.players:
        low, high = player.ci95
        total += player.equity
        print(f"{player.range:8} {player.equity:7.2%}  {low:6.2%} … {high:6.2%}")
    print(f"all      {total:7.2%}")


def draw(table: holdem.EquityTable) -> None:
    """Draw the equities of the spots."""
    import matplotlib.pyplot as plt  # for the chart: pip install matplotlib

    plt.style.use("holdem.report.plots.holdem")
    ax = plt.figure().add_subplot()
    streets = ["before the flop", "T♦ 9♦ 2♣", "7♥", "3♠"]
    for place, name in enumerate(("A♠K♠", "Q♦Q♥")):
        ax.plot(streets, 100 * table.equity[:, place], "o-", label=name, clip_on=False)
    ax.set(ylabel="equity, %", ylim=(0, 100))
    lost = table.equity[0, 0] - table.equity[1, 0]
    ax.set_title(f"The flop costs ace-king {100 * lost:.0f} points of equity")
    ax.legend()
    plt.show()


def main(deals: int = 200_000) -> None:
    """Print the three tables, and draw the first."""
    table = several_spots()
    one_range()
    four_players(deals)
    draw(table)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))

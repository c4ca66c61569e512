/** A picture of the whole spot, for someone without the program: players, grids, board, equities, price. */

import { getAnswer } from "./answer.js";
import { CLASSES, RANKS, cardSymbol, isCard } from "./cards.js";
import { saveFile } from "./copying.js";
import { halfWidth, percent, summaryOf } from "./numbers.js";
import { decision, getPrice } from "./price.js";
import { summary } from "./range_weights.js";
import { getKeptCombos, wordsOf } from "./rules.js";
import { getState, playerName, ranges } from "./state.js";

const WIDTH = 1200;
const MARGIN = 40;
const GAP = 24;
const SCALE = 2; // pixels for each unit: text stays sharp where the picture is enlarged

async function drawSpot() {
  const state = getState();
  const { equity, fresh } = getAnswer();
  const known = fresh && equity ? equity.players : [];
  const columns = Math.min(3, Math.max(2, state.players.length));
  const cell = Math.floor((WIDTH - 2 * MARGIN - GAP * (columns - 1)) / columns / RANKS.length);
  const side = cell * RANKS.length;
  const rows = Math.ceil(state.players.length / columns);
  const price = getPrice();
  const height = MARGIN + 84 + rows * (side + 96) + (price ? 34 : 0) + 40;

  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [SCALE * WIDTH, SCALE * height];
  const context = canvas.getContext("2d");
  context.scale(SCALE, SCALE);
  const colour = (name) => getComputedStyle(document.querySelector("#answers")).getPropertyValue(name).trim();
  const write = (text, x, y, { size = 16, weight = 400, ink = "--ink", align = "left", width } = {}) => {
    context.font = `${weight} ${size}px ${colour("--font")}`;
    context.fillStyle = ink.startsWith("--") ? colour(ink) : ink;
    context.textAlign = align;
    context.fillText(text, x, y, width);
  };
  const box = (x, y, width, own, fill) => {
    context.fillStyle = fill;
    context.beginPath();
    context.roundRect(x, y, width, own, 4);
    context.fill();
  };
  box(0, 0, WIDTH, height, colour("--panel"));

  let x = MARGIN;
  for (const card of state.board.filter(isCard)) {
    context.strokeStyle = colour("--line-strong");
    context.beginPath();
    context.roundRect(x, MARGIN, 48, 60, 6);
    context.stroke();
    write(cardSymbol(card), x + 24, MARGIN + 39, { size: 24, weight: 600, align: "center", ink: `--suit-${card[1]}` });
    x += 56;
  }
  if (!state.board.length) write("Before the flop", x, MARGIN + 38, { size: 22, weight: 600 });
  if (state.dead.length) write(`dead ${state.dead.filter(isCard).map(cardSymbol).join(" ")}`, x + 8, MARGIN + 38, { ink: "--ink-soft" });
  write("holdem", WIDTH - MARGIN, MARGIN + 38, { size: 20, weight: 600, align: "right", ink: "--ink-soft" });

  for (const [index, text] of state.players.entries()) {
    const left = MARGIN + (index % columns) * (side + GAP);
    const top = MARGIN + 84 + Math.floor(index / columns) * (side + 96);
    const own = colour(`--series-${index % 5}`);
    const { weights: whole } = await ranges.read(text).catch(() => ({ weights: new Map() }));
    const kept = getKeptCombos(index)?.weights ?? whole;
    CLASSES.forEach((name, at) => {
      const [column, row] = [at % RANKS.length, Math.floor(at / RANKS.length)];
      const [cx, cy] = [left + column * cell, top + 34 + row * cell];
      box(cx, cy, cell - 2, cell - 2, colour("--cell"));
      const [{ weight }, { weight: left_ }] = [summary(whole, name), summary(kept, name)];
      for (const [part, alpha] of [[weight, 0.22], [left_, 0.62]]) {
        if (!part) continue;
        context.globalAlpha = alpha;
        box(cx, cy + (1 - part) * (cell - 2), cell - 2, part * (cell - 2), own);
        context.globalAlpha = 1;
      }
      write(name, cx + cell / 2 - 1, cy + cell / 2 + 3, { size: Math.min(13, cell / 2.8), align: "center" });
    });
    const isHero = index === state.hero && state.players.length > 1;
    write(`${playerName(index)}${isHero ? " ★" : ""}`, left, top + 20, { size: 20, weight: 600, ink: own, width: side - 130 });
    const player = known[index];
    const figure = player ? `${percent(player.equity)} %${equity.exact ? "" : ` ±${halfWidth(player)}`}` : "–";
    write(figure, left + side, top + 20, { size: 22, weight: 600, align: "right" });
    write(shortened(text), left, top + side + 56, { size: 14, ink: "--ink-soft", width: side });
    const rules = state.rules[index].filter(({ off }) => !off).map(wordsOf).join("; ");
    if (rules) write(`kept: ${rules}`, left, top + side + 76, { size: 14, ink: "--ink-soft", width: side });
  }
  let foot = MARGIN + 84 + rows * (side + 96) + 12;
  if (price) {
    write(`Pot ${state.pot}, bet ${state.bet}. ${decision(price)}`, MARGIN, foot, { width: WIDTH - 2 * MARGIN });
    foot += 30;
  }
  if (fresh && equity) write(summaryOf(equity), MARGIN, foot, { size: 13, ink: "--ink-soft" });
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

const shortened = (text) => (text.length > 90 ? `${text.slice(0, 89)}…` : text);

export async function savePicture() {
  saveFile(await drawSpot(), "holdem-spot.png");
  return "Saved: holdem-spot.png";
}

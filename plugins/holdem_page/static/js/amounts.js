/** Amounts of chips as people type them: "1,500", "1 500", "1.5k", "0,5". */

const START = "[1-9]\\d{0,2}";
const whole = (pattern) => new RegExp(`^${pattern}$`);
/** Groups of three digits, with what is done to read them as a number. */
const GROUPED = [
  [whole(`${START}([\\s'’]\\d{3})+([.,]\\d+)?`), (text) => text.replace(/[\s'’]/g, "").replace(",", ".")],
  [whole(`${START}(,\\d{3})+(\\.\\d+)?`), (text) => text.replaceAll(",", "")],
  [whole(`${START}(\\.\\d{3}){2,}|${START}(\\.\\d{3})+,\\d+`), (text) => text.replaceAll(".", "").replace(",", ".")],
];
const PLAIN = /^(0|[1-9]\d*)?([.,]\d+)?$/;
/** One and a half thousand in some languages, one and a half in others. */
const UNCLEAR = whole(`${START}\\.\\d{3}`);
const PARTS = /^(.*?)\s*(k|m|bb|%|pots?)?$/i;

/** The number of chips that a text means; null if it means none, or could mean two. */
export function readAmount(text, { pot = null, bb = null } = {}) {
  const [, digits, unit = ""] = PARTS.exec(text.trim());
  if (!digits || UNCLEAR.test(digits)) return null;
  const grouped = GROUPED.find(([pattern]) => pattern.test(digits));
  if (!grouped && !PLAIN.test(digits)) return null;
  const number = Number(grouped ? grouped[1](digits) : digits.replace(",", "."));
  const multiple = { "": 1, k: 1e3, m: 1e6, bb, "%": pot && pot / 100, pot, pots: pot }[unit.toLowerCase()];
  return multiple === null ? null : number * multiple;
}

/** Why a text that is not an amount is none, for example "1.000". */
export function whyNoAmount(text) {
  const [, digits, unit = ""] = PARTS.exec(text.trim());
  const isNumber = readAmount(text, { pot: 1, bb: 1 }) !== null;
  if (isNumber) return unit.toLowerCase() === "bb" ? `${text.trim()}: give the chips of a big blind as BB, such as 2.` : `${text.trim()}: give the pot first, in chips or big blinds.`;
  if (!UNCLEAR.test(digits)) return "Pot and bet are numbers, such as 100, 1,500 or 1.5k; a bet may be 33% or 2 pots.";
  return `${text.trim()} could mean ${digits.replace(".", "")}${unit} or ${Number(digits)}${unit}; write one of these.`;
}

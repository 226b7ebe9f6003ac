/** Line breaks, controls, bidi marks and whatever else is no letter of a line, but for the joiners of some scripts. */
const NOT_OF_A_LINE = /(?:(?![\u200c\u200d])[\s\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}])+/gu;

/** Somebody else's words as part of one line: nothing in them can begin a header or a line of its own. */
export function oneLine(text: string, mostCharacters: number): string {
  const line = text.replaceAll(NOT_OF_A_LINE, ' ').trim();
  return Array.from(line).slice(0, mostCharacters).join('');
}

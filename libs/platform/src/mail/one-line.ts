/** White space, control and format characters, line separators and surrogates, except the joiners of some scripts. */
const SEPARATORS = /(?:(?![\u200c\u200d])[\s\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}])+/gu;

/** Reduces untrusted text to one line, so that it cannot start a header or a paragraph. */
export function oneLine(text: string, maxLength: number): string {
  const line = text.replaceAll(SEPARATORS, ' ').trim();
  return Array.from(line).slice(0, maxLength).join('');
}

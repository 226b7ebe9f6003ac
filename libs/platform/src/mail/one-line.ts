import { INVISIBLE_CHARACTER, NEEDED_IN_NAMES } from '@portage/text';

const SEPARATORS = new RegExp(String.raw`(?:\s|(?!${NEEDED_IN_NAMES})${INVISIBLE_CHARACTER})+`, 'gu');

/** Reduces untrusted text to one line, so that it cannot start a header or a paragraph. */
export function oneLine(text: string, maxLength: number): string {
  const line = text.replaceAll(SEPARATORS, ' ').trim();
  return Array.from(line).slice(0, maxLength).join('');
}

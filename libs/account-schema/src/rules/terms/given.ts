/**
 * **given**: the key is there, and its value is neither null, blank, nor an empty list. Texts have been trimmed
 * when rules see them, so a blank one can only come from a field that holds any JSON.
 */
export function given<Value>(value: Value): value is NonNullable<Value> {
  if (value === undefined || value === null) return false;
  if (typeof value === 'string') return isPlain(value.charCodeAt(0)) || value.trim() !== '';
  return !Array.isArray(value) || value.length > 0;
}

/** Whether a character is none of those that are trimmed: so it is with nearly every first one. */
function isPlain(character: number): boolean {
  return character > 0x20 && character < 0x7f;
}

/**
 * **given**: the field is present and its value is not null, blank or an empty list. Texts are trimmed before rules
 * run, so only a field with free JSON can contain a blank text.
 */
export function isGiven<Value>(value: Value): value is NonNullable<Value> {
  if (value === undefined || value === null) return false;
  if (typeof value === 'string') return isPlain(value.charCodeAt(0)) || value.trim() !== '';
  return !Array.isArray(value) || value.length > 0;
}

/** True for printable ASCII, which is never trimmed. Nearly every first character is. */
function isPlain(character: number): boolean {
  return character > 0x20 && character < 0x7f;
}

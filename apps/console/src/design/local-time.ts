/** A moment as the value of a field for local date and time. */
export function toLocal(iso: string | undefined): string {
  if (iso === undefined) return '';
  const date = new Date(iso);
  return Number.isNaN(date.getTime())
    ? ''
    : new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The moment of a field for local date and time. Undefined if the field is empty. */
export const toIso = (local: string): string | undefined =>
  local === '' ? undefined : new Date(local).toISOString();

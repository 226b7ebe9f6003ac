import { isStorable } from './text';

/** True for a JSON object: not null and not a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** False for numbers out of range, and for integers so large that JSON.parse may have lost digits. */
export function isExact(value: number): boolean {
  return Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value));
}

/** True if all texts, keys and numbers inside are storable. Nesting deeper than `depth` counts as not storable. */
export function isStorableJson(value: unknown, depth: number): boolean {
  if (typeof value === 'number') return isExact(value);
  if (typeof value === 'string') return isStorable(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0) return false;
  if (Array.isArray(value)) return value.every((item) => isStorableJson(item, depth - 1));
  return Object.entries(value).every(([key, item]) => isStorable(key) && isStorableJson(item, depth - 1));
}

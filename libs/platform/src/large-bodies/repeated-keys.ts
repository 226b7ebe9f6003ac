import { JsonSyntaxReader } from './json-syntax-reader';

/**
 * Counts the keys of all objects of a parsed JSON text. JSON.parse keeps the last of equal keys: the text has more
 * (`JsonScanner.keys`).
 */
export function countKeys(root: object): number {
  let count = 0;
  const stack: object[] = [root];
  for (let value = stack.pop(); value; value = stack.pop()) {
    if (Array.isArray(value)) {
      for (const item of value as unknown[]) if (typeof item === 'object' && item !== null) stack.push(item);
      continue;
    }
    // Twice as fast as with Object.keys. Parsed objects inherit no members that are enumerable.
    for (const key in value) {
      count += 1;
      const member = (value as Record<string, unknown>)[key];
      if (typeof member === 'object' && member !== null) stack.push(member);
    }
  }
  return count;
}

/** The first key that an object of a JSON text has twice, whatever its escapes; undefined if there is none. */
export function findRepeatedKey(text: string): string | undefined {
  const reader = new JsonSyntaxReader(text);
  const open: Set<string>[] = [];
  for (let next = reader.peek(); next !== ''; next = reader.peek()) {
    if (next === '"') {
      const string = reader.takeString();
      if (string === undefined) return undefined;
      if (!reader.take(':')) continue;
      const key = JSON.parse(string) as string;
      const keys = open.at(-1);
      if (keys?.has(key)) return key;
      keys?.add(key);
    } else if (reader.take('{') || reader.take('[')) open.push(new Set());
    else if (reader.take('}') || reader.take(']')) open.pop();
    else if (!reader.take(',') && reader.takeScalar() === undefined) return undefined;
  }
  return undefined;
}

import { JsonScanner } from './json-scanner';

/** The position at which a text stops being JSON; undefined if it is JSON. */
export function findSyntaxError(text: string): number | undefined {
  const scanner = new JsonScanner(text);
  return scanner.skipValue() && scanner.peek() === '' ? undefined : scanner.position;
}

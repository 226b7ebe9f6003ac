import { excerpt, MAX_PATH_SEGMENT_LENGTH } from '../compiler/fault';
import { isExact } from '../vocabulary/json';

/** Numbers as they were sent, by their dotted paths. */
export type ChangedNumbers = ReadonlyMap<string, string>;

/** Numbers that are found in one text. An answer lists fewer errors. */
const MAX_FOUND = 2_000;

/** Shorter numbers without an exponent are safe integers or fractions. */
const MIN_CHANGED_LENGTH = 16;

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const END_OF_NUMBER = /[^-+.\deE]|$/g;
const EXPONENT = /[eE]/;

/** An open object or list: the place of the current member. */
type Container = OpenList | OpenObject;

interface OpenList {
  readonly isList: true;
  index: number;
}

interface OpenObject {
  readonly isList: false;
  /** The JSON text of the current key. */
  key: string;
  /** The key as it appears in paths, once a path needs it. */
  name: string | undefined;
}

/**
 * Finds the first {@link MAX_FOUND} numbers that JSON.parse has changed. Reads the text once and from its beginning: a
 * search for each number would read it again for each error.
 *
 * @param text valid JSON
 */
export function findChangedNumbers(text: string): ChangedNumbers {
  const found = new Map<string, string>();
  const open: Container[] = [];
  let position = 0;
  let expectsKey = false;
  while (position < text.length && found.size < MAX_FOUND) {
    const code = text.charCodeAt(position);
    const start = position;
    position += 1;
    if (code === QUOTE) {
      position = endOfString(text, start);
      const current = open.at(-1);
      if (expectsKey && current?.isList === false) {
        current.key = text.slice(start, position);
        current.name = undefined;
      }
      expectsKey = false;
    } else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      position = endOfNumber(text, start);
      const number = text.slice(start, position);
      if (isChanged(number)) found.set(pathOf(open), number);
    } else if (code === COMMA) {
      const current = open.at(-1);
      if (current?.isList) current.index += 1;
      else expectsKey = true;
    } else if (code === OPEN_OBJECT) {
      open.push({ isList: false, key: '""', name: undefined });
      expectsKey = true;
    } else if (code === OPEN_LIST) open.push({ isList: true, index: 0 });
    else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      open.pop();
      expectsKey = false;
    }
  }
  return found;
}

/** The position after the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let first = quote;
    while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
    // After an odd number of backslashes the quote is part of the text.
    if ((quote - first) % 2 === 0) return quote + 1;
  }
  return text.length;
}

function endOfNumber(text: string, start: number): number {
  END_OF_NUMBER.lastIndex = start;
  return END_OF_NUMBER.exec(text)?.index ?? text.length;
}

function isChanged(number: string): boolean {
  return (number.length >= MIN_CHANGED_LENGTH || EXPONENT.test(number)) && !isExact(Number(number));
}

/** The path of the current member, in the form of an error's `attr`. */
function pathOf(open: readonly Container[]): string {
  return open.map((container) => (container.isList ? container.index : nameOf(container))).join('.');
}

function nameOf(object: OpenObject): string {
  object.name ??= excerpt(JSON.parse(object.key) as string, MAX_PATH_SEGMENT_LENGTH);
  return object.name;
}

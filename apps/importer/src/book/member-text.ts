/**
 * The unchanged text of one member of a JSON object. Parsing and serialising it would alter numbers that JavaScript
 * cannot represent. Undefined if there is no such member; the last one if it is repeated, like JSON.parse.
 *
 * @param object a valid JSON object
 */
export function extractMemberText(object: string, name: string): string | undefined {
  let found: string | undefined;
  let depth = 0;
  let from = 0;
  let colon = 0;
  const endMember = (at: number): void => {
    if (colon > from && JSON.parse(object.slice(from, colon)) === name)
      found = object.slice(colon + 1, at).trim();
    from = at + 1;
  };
  for (let at = 0; at < object.length; at++) {
    switch (object[at]) {
      case '"':
        at = findEndOfString(object, at);
        break;
      case '{':
      case '[':
        depth += 1;
        if (depth === 1) from = at + 1;
        break;
      case ':':
        if (depth === 1) colon = at;
        break;
      case ',':
        if (depth === 1) endMember(at);
        break;
      case '}':
      case ']':
        if (depth === 1) endMember(at);
        depth -= 1;
    }
  }
  return found;
}

/** The index of the closing quote. @param start index of the opening quote */
function findEndOfString(json: string, start: number): number {
  let end = start + 1;
  while (json[end] !== '"') end += json[end] === '\\' ? 2 : 1;
  return end;
}

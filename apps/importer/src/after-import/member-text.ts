/**
 * The text of one member of a JSON object, letter by letter as it stands: parsing and writing it again would alter
 * numbers that JavaScript cannot hold. Undefined when there is no such member; of two the last, as JSON.parse has it.
 *
 * @param object a valid JSON object
 */
export function memberText(object: string, name: string): string | undefined {
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
        at = endOfString(object, at);
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

/** @param start where its opening quote is */
function endOfString(json: string, start: number): number {
  let end = start + 1;
  while (json[end] !== '"') end += json[end] === '\\' ? 2 : 1;
  return end;
}

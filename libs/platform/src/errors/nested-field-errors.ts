import type { FieldError } from './portage-error';

/** Messages about one value, and the errors of its members. */
interface Node {
  messages: string[];
  members: Map<string, Node>;
  /** Number of members that a list needs; undefined for an object. */
  length: number | undefined;
}

const WHOLE = 'non_field_errors';

/**
 * The details of validation errors as a dictionary shaped like the payload: a list of messages at each faulty field,
 * `{}` for list members without errors, and `non_field_errors` for messages about an object as a whole. Messages about
 * a list as a whole, beside errors of its members, are `non_field_errors` of the object around it.
 *
 * @param payload decides which numbers in a path are positions in a list
 */
export function nestFieldErrors(errors: readonly FieldError[], payload: unknown): Record<string, unknown> {
  const root = newNode(payload);
  for (const { attr, detail } of errors) addError(root, attr.split('.'), detail, payload);
  return toObject(root);
}

function addError(root: Node, path: readonly string[], detail: string, payload: unknown): void {
  let node = root;
  let value = payload;
  for (const segment of path) {
    value = memberOf(value, segment);
    const member = node.members.get(segment) ?? newNode(value);
    node.members.set(segment, member);
    if (node.length !== undefined && isPosition(segment))
      node.length = Math.max(node.length, Number(segment) + 1);
    node = member;
  }
  node.messages.push(detail);
}

function newNode(value: unknown): Node {
  return { messages: [], members: new Map(), length: Array.isArray(value) ? 0 : undefined };
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}

function isPosition(segment: string): boolean {
  return /^\d{1,9}$/.test(segment);
}

/** Object.fromEntries makes `__proto__` an ordinary member. */
function toObject({ messages, members }: Node): Record<string, unknown> {
  const whole = [...messages];
  const entries: [string, unknown][] = [];
  for (const [name, member] of members) {
    if (name === WHOLE) for (const message of member.messages) whole.push(message);
    else {
      if (member.length !== undefined && member.members.size > 0)
        for (const message of member.messages) whole.push(`${name}: ${message}`);
      entries.push([name, toValue(member)]);
    }
  }
  if (whole.length > 0) entries.push([WHOLE, whole]);
  return Object.fromEntries(entries);
}

function toValue(node: Node): unknown {
  const { messages, members, length } = node;
  if (members.size === 0) return messages;
  if (length === undefined || length === 0) return toObject(node);
  return Array.from({ length }, (_, position) => {
    const member = members.get(String(position));
    return member ? toValue(member) : {};
  });
}

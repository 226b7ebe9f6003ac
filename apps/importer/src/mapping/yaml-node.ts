import { UsageError } from '../usage-error';

/** A value of the mapping file. Scalars stay the text that was written: `007` is no number, and `no` is no flag. */
export type YamlNode = string | YamlNode[] | { [name: string]: YamlNode };

/** An object of the mapping file. */
export type YamlObject = Record<string, YamlNode>;

/** @throws UsageError that names the path in the mapping file */
export function failAt(path: string, sentence: string): never {
  throw new UsageError(`${path}: ${sentence}`);
}

export function isYamlObject(node: YamlNode | undefined): node is YamlObject {
  return typeof node === 'object' && !Array.isArray(node);
}

/** The text of a node. @throws UsageError if it is missing, empty or no text */
export function textAt(node: YamlNode | undefined, path: string, what: string): string {
  if (typeof node !== 'string' || node === '') failAt(path, `Give ${what}.`);
  return node;
}

/** The object at a path. @throws UsageError if it is none, or has a member that is not allowed */
export function objectAt(
  node: YamlNode | undefined,
  path: string,
  allowed: readonly string[] | undefined,
  what: string,
): YamlObject {
  if (!isYamlObject(node)) failAt(path, `Give ${what}.`);
  const unknown = Object.keys(node).find((name) => allowed !== undefined && !allowed.includes(name));
  if (unknown !== undefined)
    failAt(`${path === '' ? '' : `${path}.`}${unknown}`, `Allowed here: ${allowed?.join(', ')}.`);
  return node;
}

/** `true` or `false`; false if it is left out. */
export function flagAt(node: YamlNode | undefined, path: string): boolean {
  if (node === undefined || node === 'false') return false;
  if (node !== 'true') failAt(path, 'Give true or false.');
  return true;
}

/** A list of texts. */
export function textsAt(node: YamlNode | undefined, path: string, what: string): string[] {
  if (!Array.isArray(node)) failAt(path, `Give ${what}.`);
  return node.map((one, index) => textAt(one, `${path}.${index}`, 'a text'));
}

import { EnvError } from 'envalid';

/** A parameter that is not known is a misspelling, which would otherwise be a setting lost in silence. */
export function onlyParameters(url: URL, known: readonly string[]): void {
  const names = [...url.searchParams.keys()];
  if (names.some((name) => !known.includes(name)) || new Set(names).size < names.length)
    throw new EnvError(
      known.length === 0
        ? 'must have no parameters'
        : `must have no parameters but ${known.join(', ')}, each once`,
    );
}

export function trueOrFalse(url: URL, parameter: string): boolean | undefined {
  const text = url.searchParams.get(parameter);
  if (text === null) return undefined;
  if (text !== 'true' && text !== 'false') throw new EnvError(`must have true or false as ${parameter}`);
  return text === 'true';
}

export function isHttpAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return ['http:', 'https:'].includes(protocol) && !username && !password;
}

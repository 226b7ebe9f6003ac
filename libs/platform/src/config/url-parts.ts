import { EnvError } from 'envalid';

/** Refuses unknown and repeated parameters: an ignored misspelling would silently lose a setting. */
export function requireKnownParameters(url: URL, known: readonly string[]): void {
  const names = [...url.searchParams.keys()];
  if (names.some((name) => !known.includes(name)) || new Set(names).size < names.length)
    throw new EnvError(
      known.length === 0
        ? 'must have no parameters'
        : `must have no parameters but ${known.join(', ')}, each once`,
    );
}

/** The value of a parameter that must be `true` or `false`; undefined if it is absent. */
export function booleanParameter(url: URL, parameter: string): boolean | undefined {
  const text = url.searchParams.get(parameter);
  if (text === null) return undefined;
  if (text !== 'true' && text !== 'false') throw new EnvError(`must have true or false as ${parameter}`);
  return text === 'true';
}

/** Decodes a part of a URL, such as a password. @throws EnvError that names the part as `what` */
export function decodePart(text: string, what: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new EnvError(`must have ${what} percent-encoded`);
  }
}

/** True for an http:// or https:// URL without user name and password. */
export function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return ['http:', 'https:'].includes(protocol) && !username && !password;
}

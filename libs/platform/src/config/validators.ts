import { EnvError, makeValidator } from 'envalid';
import { hasInvisibleCharacter } from '@portage/text';
import { HashedSecret } from './hashed-secret';

/** Spread into a setting that stays undefined unless the operator sets it. */
export const optional = { default: undefined } as const;

interface IntegerSetting {
  readonly min: number;
  readonly max: number;
  readonly default: number;
  readonly desc: string;
}

export const integer = ({ min, max, default: preset, desc }: IntegerSetting) =>
  makeValidator<number>((text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max)
      throw new EnvError(`must be a whole number from ${min} to ${max}`);
    return value;
  })({ default: preset, desc });

export const boolean = makeValidator<boolean>((text) => {
  if (['true', 'yes', 'on', '1'].includes(text)) return true;
  if (['false', 'no', 'off', '0'].includes(text)) return false;
  throw new EnvError('must be true or false');
});

export const oneOf = (...choices: string[]) =>
  makeValidator<string>((text) => {
    if (!choices.includes(text)) throw new EnvError(`must be one of ${choices.join(', ')}`);
    return text;
  });

export const urlWithScheme = (...schemes: string[]) =>
  makeValidator<string>((text) => {
    const scheme = URL.canParse(text) ? new URL(text).protocol.slice(0, -1) : '';
    if (!schemes.includes(scheme))
      throw new EnvError(`must be a URL that starts with ${schemes.join(':// or ')}://`);
    return text;
  });

/** A URL over HTTP with `{trace_id}`, which stands for a trace. */
export const traceUrlTemplate = makeValidator<string>((text) => {
  const url = text.replaceAll('{trace_id}', '0');
  if (!text.includes('{trace_id}') || !/^https?:\/\//.test(text) || !URL.canParse(url))
    throw new EnvError('must be a URL that starts with http:// or https:// and has {trace_id} in it');
  return text;
});

/** Names end up in audit lists on terminals. */
export const personName = makeValidator<string>((text) => {
  if (!/^.{1,64}$/su.test(text) || hasInvisibleCharacter(text))
    throw new EnvError(
      'must have 1 to 64 characters, none of them a control, bidirectional or zero-width character',
    );
  return text;
});

export const timeZone = makeValidator<string>((text) => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return text;
  } catch {
    throw new EnvError('must be an IANA time zone such as UTC or Europe/London');
  }
});

/** A secret that the service has to use in clear text, such as a signing key. */
export const secret = (minLength: number) =>
  makeValidator<string>((text) => {
    if (text.length < minLength) throw new EnvError(`must be at least ${minLength} characters long`);
    return text;
  });

/**
 * A secret that is only compared with what a client sends in a header, where a space or a line break would end it. Only
 * its digest stays in memory.
 */
export const headerToken = (minLength: number) =>
  makeValidator<HashedSecret>((text) => {
    if (!/^[!-~]*$/.test(text) || text.length < minLength)
      throw new EnvError(`must be at least ${minLength} characters of printable ASCII, without spaces`);
    return new HashedSecret(text);
  });

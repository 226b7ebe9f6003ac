import type { ValueParser } from '../../vocabulary/value-parser';
import { Fault } from '../fault';
import { ABSENT, type Reader } from '../reader';
import { REQUIRED } from './object';

/** A value that a parser of its own reads. Null counts as absent unless it is a value. */
export function parsedReader(
  { code, detail, parse }: ValueParser,
  { nullable, required }: { nullable: boolean; required: boolean },
): Reader {
  const describe = typeof detail === 'string' ? () => detail : detail;
  return (value) => {
    if (value === null) {
      if (nullable) return undefined;
      return required ? REQUIRED : ABSENT;
    }
    const parsed = parse(value);
    if (parsed === undefined) return new Fault(code, describe(value), false);
    return parsed === value ? undefined : parsed;
  };
}

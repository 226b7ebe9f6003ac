import type { ValueParser } from '../../vocabulary/value-parser';
import { Fault } from '../fault';
import { ABSENT, type Reader } from '../reader';
import { REQUIRED } from './object';

/** A value that a parser of its own reads. Null counts as absent unless it is a value. */
export function parsedReader(
  parser: ValueParser,
  { nullable, required }: { nullable: boolean; required: boolean },
): Reader {
  const { code, detail, parse } = parser;
  const whenNull = required ? missingFault(parser) : ABSENT;
  const describe = typeof detail === 'string' ? () => detail : detail;
  return (value) => {
    if (value === null) return nullable ? undefined : whenNull;
    const parsed = parse(value);
    if (parsed === undefined) return new Fault(code, describe(value), false);
    return parsed === value ? undefined : parsed;
  };
}

/** The fault of a required value that is missing. */
export function missingFault({ missingCode, detail }: ValueParser): Fault {
  if (missingCode === undefined) return REQUIRED;
  return new Fault(missingCode, typeof detail === 'string' ? detail : detail(undefined), false);
}

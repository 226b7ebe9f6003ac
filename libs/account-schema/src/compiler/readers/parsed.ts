import type { ValueParser } from '../../vocabulary/value-parser';
import { Fault } from '../fault';
import type { Reader } from '../reader';
import { REQUIRED } from './object';

/** A value that a parser of its own reads. */
export function parsedReader({ code, detail, parse }: ValueParser): Reader {
  const describe = typeof detail === 'string' ? () => detail : detail;
  return (value) => {
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

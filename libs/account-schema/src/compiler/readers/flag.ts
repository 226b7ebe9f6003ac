import { Fault } from '../fault';
import type { Reader } from '../reader';
import { NULL } from './null';

const NOT_A_FLAG = new Fault('invalid', 'Enter true or false.');

/** true or false. */
export function flagReader(nullable: boolean): Reader {
  return (value) => {
    if (value === true || value === false) return undefined;
    if (value === null) return nullable ? undefined : NULL;
    return NOT_A_FLAG;
  };
}

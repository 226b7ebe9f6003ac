import { Fault } from '../fault';
import type { Reader } from '../reader';

const NOT_A_FLAG = new Fault('invalid', 'Enter true or false.');

/** true or false. */
export const readFlag: Reader = (value) => (value === true || value === false ? undefined : NOT_A_FLAG);

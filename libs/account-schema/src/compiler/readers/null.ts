import { Fault } from '../fault';

/** Absent and null are told apart everywhere: only some fields take null. */
export const NULL = new Fault('null', 'null is not allowed here: leave the field out instead.', false);

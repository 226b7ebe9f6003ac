import { Fault } from '../fault';

/** The fault of null in a field that is not nullable. null does not count as absent. */
export const NULL = new Fault('null', 'null is not allowed here: leave the field out instead.', false);

import { isObject } from '../../vocabulary/json';
import { Fault } from '../fault';
import { FAILED, type Reader } from '../reader';

const NOT_A_DICTIONARY = new Fault('not_a_dict', 'Enter a JSON object.');

/** Any JSON, unchanged. Errors inside are reported at their own paths. */
export function jsonReader(key: string): Reader {
  return (value, pass) => (pass.scan(key, value) ? undefined : FAILED);
}

/** A JSON object, unchanged. Errors inside are reported at their own paths. */
export function dictionaryReader(key: string): Reader {
  const read = jsonReader(key);
  return (value, pass) => (isObject(value) ? read(value, pass) : NOT_A_DICTIONARY);
}

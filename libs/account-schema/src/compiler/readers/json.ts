import { isObject } from '../../vocabulary/json';
import { Fault } from '../fault';
import { FAILED, type Reader } from '../reader';
import { NULL } from './null';

const NOT_A_DICTIONARY = new Fault('not_a_dict', 'Enter a JSON object.');

/** Any JSON, unchanged. Errors inside are reported at their own paths. */
export function jsonReader(key: string, nullable: boolean): Reader {
  return (value, pass) => {
    if (value === null) return nullable ? undefined : NULL;
    return pass.scan(key, value) ? undefined : FAILED;
  };
}

/** A JSON object, unchanged. Errors inside are reported at their own paths. */
export function dictionaryReader(key: string, nullable: boolean): Reader {
  return (value, pass) => {
    if (value === null) return nullable ? undefined : NULL;
    if (!isObject(value)) return NOT_A_DICTIONARY;
    return pass.scan(key, value) ? undefined : FAILED;
  };
}

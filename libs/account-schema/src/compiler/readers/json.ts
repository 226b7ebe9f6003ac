import { isObject } from '../../vocabulary/json';
import { Fault } from '../fault';
import { FAILED, type Reader } from '../reader';
import { NULL } from './null';

const NOT_A_DICTIONARY = new Fault('not_a_dict', 'Enter a JSON object.');

/** Any JSON, as it came; what is wrong inside is reported at its own path. */
export function jsonReader(key: string, nullable: boolean): Reader {
  return (value, pass) => {
    if (value === null) return nullable ? undefined : NULL;
    return pass.scan(key, value) ? undefined : FAILED;
  };
}

export function dictionaryReader(key: string, nullable: boolean): Reader {
  return (value, pass) => {
    if (value === null) return nullable ? undefined : NULL;
    if (!isObject(value)) return NOT_A_DICTIONARY;
    return pass.scan(key, value) ? undefined : FAILED;
  };
}

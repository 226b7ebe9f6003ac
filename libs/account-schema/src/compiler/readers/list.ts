import { isObject } from '../../vocabulary/json';
import { Fault } from '../fault';
import { type Pass, tooLong } from '../pass';
import { FAILED, type Reader } from '../reader';
import { NULL } from './null';
import { NOT_AN_OBJECT, type ObjectReader } from './object';

export interface ListRules {
  readonly key: string;
  readonly nullable: boolean;
  readonly minItems: number;
}

const NOT_A_LIST = new Fault('not_a_list', 'Enter a JSON list.');

/** Reads one member; reports what is wrong with it and answers FAILED, or answers as a reader does. */
type ItemReader = (item: unknown, index: number, pass: Pass) => unknown;

/** A list of objects. What is wrong with the list as a whole is said of its `non_field_errors`. */
export function objectListReader(rules: ListRules, read: ObjectReader): Reader {
  const readItem: ItemReader = (item, index, pass) => {
    if (!isObject(item)) {
      if (item === null) pass.report(NULL, index, item);
      else pass.reportWhole(NOT_AN_OBJECT, index, item);
      return FAILED;
    }
    pass.path[pass.depth] = index;
    pass.depth += 1;
    const result = read(item, pass);
    pass.depth -= 1;
    return result;
  };
  return listReader(rules, readItem, (fault, pass, value) => {
    pass.reportWhole(fault, rules.key, value);
    return FAILED;
  });
}

/** A list of texts or numbers. */
export function valueListReader(rules: ListRules, read: Reader): Reader {
  const readItem: ItemReader = (item, index, pass) => {
    const result = read(item, pass);
    if (!(result instanceof Fault)) return result;
    pass.report(result, index, item);
    return FAILED;
  };
  return listReader(rules, readItem, (fault) => fault);
}

function listReader(
  { key, nullable, minItems }: ListRules,
  readItem: ItemReader,
  refuse: (fault: Fault, pass: Pass, value: unknown) => unknown,
): Reader {
  const empty = new Fault('empty', 'The list must not be empty.', false);
  return (value, pass) => {
    if (value === null) return nullable ? undefined : NULL;
    if (!Array.isArray(value)) return refuse(NOT_A_LIST, pass, value);
    const list = value as unknown[];
    if (list.length < minItems) return refuse(empty, pass, value);
    if (list.length > pass.arrayItems) return tooLong(list, pass.arrayItems);
    pass.path[pass.depth] = key;
    pass.depth += 1;
    const result = readItems(list, readItem, pass);
    pass.depth -= 1;
    return result;
  };
}

/** Undefined when every member is right as it is, a copy when one is not, FAILED when one is wrong. */
function readItems(list: unknown[], readItem: ItemReader, pass: Pass): unknown {
  let copy: unknown[] | undefined;
  let failed = false;
  for (let i = 0; i < list.length; i += 1) {
    const item = list[i];
    const result = readItem(item, i, pass);
    if (result === FAILED) {
      failed = true;
      if (pass.isFull) break;
    } else if (result !== undefined) {
      copy ??= list.slice();
      copy[i] = result;
    }
  }
  return failed ? FAILED : copy;
}

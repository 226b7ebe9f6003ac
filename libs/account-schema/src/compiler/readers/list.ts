import { isObject } from '../../vocabulary/json';
import { Fault } from '../fault';
import { findListLengthFault, type Pass } from '../pass';
import { FAILED, type Reader } from '../reader';
import type { Steps } from '../steps';
import { NULL } from './null';
import { NOT_AN_OBJECT, type ObjectReader } from './object';

/** The constraints of a list. */
export interface ListRules {
  readonly key: string;
  readonly nullable: boolean;
  readonly minItems: number;
}

const NOT_A_LIST = new Fault('not_a_list', 'Enter a JSON list.');

/** Reads all members. Returns undefined if none needs conversion, a copy if one does, FAILED if one is invalid. */
interface MembersReader {
  (list: unknown[], pass: Pass): unknown;
  /** The same in steps. */
  readonly inSteps: (list: unknown[], pass: Pass) => Steps<unknown>;
}

/** A list of objects. Errors about the whole list are reported at its `non_field_errors`. */
export function objectListReader(rules: ListRules, read: ObjectReader): Reader {
  const readAll = (list: unknown[], pass: Pass): unknown => {
    let copy: unknown[] | undefined;
    let failed = false;
    pass.depth += 1;
    for (let i = 0; i < list.length; i += 1) {
      const item = list[i];
      let result: unknown;
      if (isObject(item)) {
        pass.path[pass.depth - 1] = i;
        result = read(item, pass);
        if (result === undefined) continue;
      } else {
        result = reportInvalidItem(item, i, pass);
      }
      if (result === FAILED) failed = true;
      else (copy ??= list.slice())[i] = result;
    }
    pass.depth -= 1;
    return failed ? FAILED : copy;
  };
  const inSteps = (list: unknown[], pass: Pass) => readObjectsInSteps(read, list, pass);
  return listReader(rules, Object.assign(readAll, { inSteps }), (fault, pass, value) => {
    pass.reportWhole(fault, rules.key, value);
    return FAILED;
  });
}

/** The loop of {@link objectListReader} with pauses. */
function* readObjectsInSteps(read: ObjectReader, list: unknown[], pass: Pass): Steps<unknown> {
  let copy: unknown[] | undefined;
  let failed = false;
  pass.depth += 1;
  for (let i = 0; i < list.length; i += 1) {
    if (pass.slice.isOver) yield* pass.slice.pause();
    const item = list[i];
    let result: unknown;
    if (isObject(item)) {
      pass.path[pass.depth - 1] = i;
      result = isSmall(item) ? read(item, pass) : yield* read.inSteps(item, pass);
      if (result === undefined) continue;
    } else {
      result = reportInvalidItem(item, i, pass);
    }
    if (result === FAILED) failed = true;
    else (copy ??= list.slice())[i] = result;
  }
  pass.depth -= 1;
  return failed ? FAILED : copy;
}

/** Fields of an object that is read at once. */
const MAX_FIELDS_AT_ONCE = 50;

/** True if an object is little work, such as most transactions: it has few fields, and no list or object among them. */
function isSmall(item: Record<string, unknown>): boolean {
  let count = 0;
  for (const key in item) {
    const value = item[key];
    count += 1;
    if (count > MAX_FIELDS_AT_ONCE || (typeof value === 'object' && value !== null)) return false;
  }
  return true;
}

function reportInvalidItem(item: unknown, index: number, pass: Pass): unknown {
  pass.depth -= 1;
  if (item === null) pass.report(NULL, index, item);
  else pass.reportWhole(NOT_AN_OBJECT, index, item);
  pass.depth += 1;
  return FAILED;
}

/** A list of texts or numbers. */
export function valueListReader(rules: ListRules, read: Reader): Reader {
  const readAll = (list: unknown[], pass: Pass): unknown => {
    let copy: unknown[] | undefined;
    let failed = false;
    for (let i = 0; i < list.length; i += 1) {
      const result = read(list[i], pass);
      if (result === undefined) continue;
      if (result instanceof Fault) {
        pass.report(result, i, list[i]);
        failed = true;
      } else {
        (copy ??= list.slice())[i] = result;
      }
    }
    return failed ? FAILED : copy;
  };
  const inSteps = (list: unknown[], pass: Pass) => readValuesInSteps(read, list, pass);
  return listReader(rules, Object.assign(readAll, { inSteps }), (fault) => fault);
}

/** The loop of {@link valueListReader} with pauses. */
function* readValuesInSteps(read: Reader, list: unknown[], pass: Pass): Steps<unknown> {
  let copy: unknown[] | undefined;
  let failed = false;
  for (let i = 0; i < list.length; i += 1) {
    if (pass.slice.isOver) yield* pass.slice.pause();
    const result = read(list[i], pass);
    if (result === undefined) continue;
    if (result instanceof Fault) {
      pass.report(result, i, list[i]);
      failed = true;
    } else {
      (copy ??= list.slice())[i] = result;
    }
  }
  return failed ? FAILED : copy;
}

function listReader(
  { key, nullable, minItems }: ListRules,
  readMembers: MembersReader,
  refuse: (fault: Fault, pass: Pass, value: unknown) => unknown,
): Reader {
  const empty = new Fault('empty', 'The list must not be empty.', false);
  /** Undefined if the members can be read, else what the reader returns. */
  const refuseWhole = (value: unknown, pass: Pass): { result: unknown } | undefined => {
    if (value === null) return { result: nullable ? undefined : NULL };
    if (!Array.isArray(value)) return { result: refuse(NOT_A_LIST, pass, value) };
    if (value.length < minItems) return { result: refuse(empty, pass, value) };
    const fault = findListLengthFault(value, pass.maxArrayItems);
    return fault && { result: fault };
  };
  const read = (value: unknown, pass: Pass): unknown => {
    const refused = refuseWhole(value, pass);
    if (refused) return refused.result;
    pass.path[pass.depth] = key;
    pass.depth += 1;
    const result = readMembers(value as unknown[], pass);
    pass.depth -= 1;
    return result;
  };
  return Object.assign(read, {
    *inSteps(value: unknown, pass: Pass): Steps<unknown> {
      const refused = refuseWhole(value, pass);
      if (refused) return refused.result;
      pass.path[pass.depth] = key;
      pass.depth += 1;
      const result = yield* readMembers.inSteps(value as unknown[], pass);
      pass.depth -= 1;
      return result;
    },
  });
}

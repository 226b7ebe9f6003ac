import { isObject } from '../../vocabulary/json';
import { Fault } from '../fault';
import { findListLengthFault, type Pass } from '../pass';
import { FAILED, type Reader } from '../reader';
import { NOT_AN_OBJECT, NULL, type ObjectReader } from './object';

/** The constraints of a list. */
export interface ListConstraints {
  readonly key: string;
  readonly arrayMinSize: number;
}

const NOT_A_LIST = new Fault('not_a_list', 'Enter a JSON list.');

/**
 * Reads members of a list, from `start` on, and puts off those that exceed the step. Returns undefined if none needs
 * conversion, a copy if one does or some are put off, and FAILED if the list is invalid as a whole.
 */
type MembersReader = (list: unknown[], pass: Pass, start?: number, converted?: unknown[]) => unknown;

/**
 * A list of objects. Errors about the whole list are reported at its `non_field_errors`. Invalid members are replaced by
 * tripwires; the list is invalid as a whole if all of them are.
 */
export function objectListReader(constraints: ListConstraints, read: ObjectReader): Reader {
  const readMembers: MembersReader = (list, pass, start = 0, converted) => {
    let copy = converted;
    let failedCount = 0;
    let i = start;
    pass.depth += 1;
    for (; i < list.length && pass.takeMember(); i += 1) {
      const item = list[i];
      let result: unknown;
      if (isObject(item)) {
        pass.path[pass.depth - 1] = i;
        result = read(item, pass);
        if (result === undefined) continue;
      } else {
        result = reportInvalidItem(item, i, pass);
      }
      copy ??= list.slice();
      if (result === FAILED) {
        failedCount += 1;
        pass.markInvalid(copy, i);
      } else {
        copy[i] = result;
      }
    }
    pass.depth -= 1;
    if (i < list.length) copy = putOff(readMembers, list, pass, i, copy);
    return failedCount > 0 && failedCount === list.length ? FAILED : copy;
  };
  return listReader(constraints, readMembers, (fault, pass, value) => {
    pass.reportWhole(fault, constraints.key, value);
    return FAILED;
  });
}

/** Has the rest of a list read in a later step, which converts members in the copy that is returned. */
function putOff(
  read: MembersReader,
  list: unknown[],
  pass: Pass,
  start: number,
  copy: unknown[] = list.slice(),
): unknown[] {
  pass.putOff(() => read(list, pass, start, copy));
  return copy;
}

function reportInvalidItem(item: unknown, index: number, pass: Pass): unknown {
  pass.depth -= 1;
  if (item === null) pass.report(NULL, index, item);
  else pass.reportWhole(NOT_AN_OBJECT, index, item);
  pass.depth += 1;
  return FAILED;
}

/**
 * A list of texts or numbers, which is invalid as a whole if a member is. It is read in one step, but its members count,
 * so that the step ends after it.
 */
export function valueListReader(constraints: ListConstraints, read: Reader): Reader {
  const readMembers: MembersReader = (list, pass) => {
    let copy: unknown[] | undefined;
    let failed = false;
    for (let i = 0; i < list.length; i += 1) {
      pass.takeMember();
      const item = list[i];
      const result = item === null ? NULL : read(item, pass);
      if (result === undefined) continue;
      if (result instanceof Fault) {
        pass.report(result, i, item);
        failed = true;
      } else {
        (copy ??= list.slice())[i] = result;
      }
    }
    return failed ? FAILED : copy;
  };
  return listReader(constraints, readMembers, (fault) => fault);
}

function listReader(
  { key, arrayMinSize }: ListConstraints,
  readMembers: MembersReader,
  refuse: (fault: Fault, pass: Pass, value: unknown) => unknown,
): Reader {
  const empty = new Fault('empty', 'The list must not be empty.', false);
  return (value, pass) => {
    if (!Array.isArray(value)) return refuse(NOT_A_LIST, pass, value);
    if (value.length < arrayMinSize) return refuse(empty, pass, value);
    const fault = findListLengthFault(value, pass.maxArrayItems);
    if (fault) return fault;
    pass.path[pass.depth] = key;
    pass.depth += 1;
    const result = readMembers(value, pass);
    pass.depth -= 1;
    return result;
  };
}

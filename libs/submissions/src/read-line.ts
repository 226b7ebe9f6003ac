import { createHash } from 'node:crypto';
import {
  findStrayMembers,
  hashPayload,
  identifierAt,
  keyOfAccount,
  measurePayload,
  type RefusedLine,
  type StrayMember,
  type SubmissionLineError,
} from '@portage/imports';
import {
  countKeys,
  type FieldError,
  findRepeatedKey,
  inheritSize,
  isObject,
  type JsonLimits,
  JsonScanner,
  recordSize,
} from '@portage/platform';
import { escapeForLine } from '@portage/text';
import { LINE_ERROR_CODES, type LineErrorCode } from './submission';
import type { ReadLine } from './line-reader';

/** Errors of one line that are stored. A book of faulty accounts would fill the disk otherwise. */
const MAX_STORED_ERRORS = 20;

/** Characters of a detail and a path that are stored. */
const MAX_DETAIL_LENGTH = 500;
const MAX_ATTR_LENGTH = 200;

const utf8 = new TextDecoder('utf-8', { fatal: true });

type Json = Record<string, unknown>;

/** A line with a JSON object: the account, before it is validated. */
export interface PayloadLine {
  line: number;
  payload: Json;
}

/** Reads a line: the account of it, or why it is refused. */
export function readLine(line: ReadLine, maxBytes: number, limits: JsonLimits): PayloadLine | RefusedLine {
  const { number, bytes } = line;
  if (!bytes)
    return refuseLine(number, undefined, line.sha256, [
      lineError(
        'line_too_long',
        `The line is longer than ${maxBytes} bytes, the limit of one account, or compressed more than accounts are.`,
      ),
    ]);
  const refuse = (code: LineErrorCode, detail: string) =>
    refuseLine(number, undefined, createHash('sha256').update(bytes).digest(), [lineError(code, detail)]);
  const scanner = new JsonScanner(limits);
  const excess = scanner.push(bytes);
  if (excess === 'precision')
    return refuse(
      'line_ambiguous',
      'The line has a number that cannot be read exactly, because it has too many digits or is too large or small.',
    );
  if (excess)
    return refuse(
      'line_too_long',
      excess === 'values'
        ? `The line has more than ${limits.values} values and keys.`
        : `The line is nested more than ${limits.nesting} levels deep.`,
    );
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return refuse('line_not_json', 'The line is not UTF-8.');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse('line_not_json', 'The line is not valid JSON.');
  }
  if (!isObject(value)) return refuse('line_not_json', 'The line is not a JSON object.');
  if (countKeys(value) < scanner.keys)
    return refuse(
      'line_ambiguous',
      `An object of the line has the key ${JSON.stringify(findRepeatedKey(text))} twice.`,
    );
  recordSize(value, { values: scanner.values + 1, characters: bytes.length });
  const { payload, task_params: taskParams } = value;
  const isWrapped = isObject(payload);
  if (isWrapped) inheritSize(value, payload);
  const account = isWrapped ? payload : value;
  const [stray] = findStrayMembers(value, isWrapped ? ['payload', 'task_params'] : []);
  if (stray) return refuseAccount(number, account, [{ ...errorOfStray(stray), attr: stray.attr }]);
  if (taskParams === undefined || taskParams === null) return { line: number, payload: account };
  return refuseAccount(number, account, [
    {
      ...lineError('task_params_in_line', 'task_params are those of the submission. Send the bare account.'),
      attr: 'task_params',
    },
  ]);
}

function errorOfStray({ parameter }: StrayMember): Pick<SubmissionLineError, 'code' | 'detail'> {
  return parameter === undefined
    ? { code: 'unknown_field', detail: 'A line has nothing beside its payload.' }
    : lineError('misplaced_parameter', 'It has no effect in a line.');
}

/** Refuses a line whose account was not hashed yet. */
function refuseAccount(line: number, payload: Json, errors: readonly SubmissionLineError[]): RefusedLine {
  return refuseLine(line, payload, hashPayload(JSON.stringify(payload), {}).payloadDigest, errors);
}

/**
 * Builds a refused line.
 *
 * @param payload the account as far as it can be read
 * @param lineHash the digest of the payload; without a payload, SHA-256 of the line. It identifies a line without an
 * account number
 */
export function refuseLine(
  line: number,
  payload: unknown,
  lineHash: Buffer,
  errors: readonly SubmissionLineError[],
): RefusedLine {
  const externalAccountNumber = accountNumberOf(payload);
  return {
    line,
    externalAccountNumber: externalAccountNumber ?? null,
    refusedKey: externalAccountNumber === undefined ? lineHash : keyOfAccount(externalAccountNumber),
    errors: storableErrors(errors),
    payloadDigest: payload === undefined ? null : lineHash,
    measures: measurePayload(payload),
  };
}

/** Builds an error of a line as a whole. */
export function lineError(code: LineErrorCode, detail: string): SubmissionLineError {
  return { code, detail: `${detail} ${LINE_ERROR_CODES[code].fix}`, attr: null };
}

/** The external account number of a payload; undefined if it cannot be one. */
export function accountNumberOf(payload: unknown): string | undefined {
  return identifierAt(payload, 'external_account_number');
}

/** The first errors of a line, in a form that the database can store: without control characters, and not too long. */
export function storableErrors(errors: readonly (SubmissionLineError | FieldError)[]): SubmissionLineError[] {
  const storable = errors.slice(0, MAX_STORED_ERRORS).map(({ code, detail, attr }) => ({
    code,
    detail: escapeForLine(detail).slice(0, MAX_DETAIL_LENGTH),
    attr: attr === null ? null : escapeForLine(attr).slice(0, MAX_ATTR_LENGTH),
  }));
  const hidden = errors.length - storable.length;
  if (hidden > 0)
    storable.push({ code: 'too_many_errors', detail: `The line has ${hidden} more errors.`, attr: null });
  return storable;
}

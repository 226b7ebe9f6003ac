import { createHash } from 'node:crypto';
import { ADDITION_KINDS, type AdditionKind } from '@portage/accounts';
import type { SubmissionLineError } from '@portage/imports';
import type { TransactionsOptions } from '@portage/accounts';
import { lineError } from '../read-line';

/** A line of additions, before its body is validated. */
export interface AdditionLine {
  kind: AdditionKind;
  body: Record<string, unknown>;
  options: TransactionsOptions;
}

const OPTIONS = ['check_previously_added', 'force_add_to_current_statement'] as const;

/** Reads the members of a line: one kind with its body, and for transactions the query parameters of their endpoint. */
export function readAdditionLine(
  payload: Record<string, unknown>,
): AdditionLine | { kind: AdditionKind | null; errors: SubmissionLineError[] } {
  const kinds = ADDITION_KINDS.filter((kind) => kind in payload);
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1)
    return {
      kind: null,
      errors: [lineError('addition_unknown', 'The line does not have exactly one kind of addition.')],
    };
  const body = payload[kind];
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return {
      kind,
      errors: [{ attr: kind, code: 'invalid', detail: 'Enter the body of the request, an object.' }],
    };
  const errors = Object.keys(payload).flatMap((name): SubmissionLineError[] => {
    if (name === kind) return [];
    const isOption = OPTIONS.some((option) => option === name);
    if (!isOption)
      return [
        { attr: name, code: 'unknown_field', detail: 'A line has one kind of addition and its parameters.' },
      ];
    if (kind !== 'transactions')
      return [{ attr: name, code: 'misplaced_parameter', detail: 'It is a parameter of transactions.' }];
    return typeof payload[name] === 'boolean'
      ? []
      : [{ attr: name, code: 'invalid', detail: 'Enter true or false.' }];
  });
  if (errors.length > 0) return { kind, errors };
  return {
    kind,
    body: body as Record<string, unknown>,
    options: {
      checkPreviouslyAdded: payload['check_previously_added'] !== false,
      forceAddToCurrentStatement: payload['force_add_to_current_statement'] !== false,
    },
  };
}

/** SHA-256 of a line: lines with the same members in the same order are one. */
export function digestOf(payload: unknown): Buffer {
  return createHash('sha256').update(JSON.stringify(payload)).digest();
}

/** Shards of additions that the database takes at once, which workers perform beside each other. */
const SHARDS = 4;

/** The shard of payment instructions, which wait for their vendors. */
export const INSTRUCTIONS_SHARD = SHARDS;

/** The shard of an addition: all of an account are in one, but for its payment instructions. */
export function shardOf(kind: AdditionKind | null, externalAccountNumber: string | null): number {
  if (kind === 'payment_instruction') return INSTRUCTIONS_SHARD;
  return (
    (createHash('sha256')
      .update(externalAccountNumber ?? '')
      .digest()[0] ?? 0) % SHARDS
  );
}

import { PortageError } from '@portage/platform';
import type { AccountChanges } from '../processes/account-changes';
import type {
  ExistingProcess,
  ImportedLine,
  PendingProcess,
  RefusedLine,
  RepeatedLine,
  WrittenProcess,
} from '../processes/pending-process.repository';
import type { AcceptedAccount, AcceptingUpload, AccountToAccept, Decision } from './account-to-accept';
import type { NewCorrection } from './correction.repository';

/** What is accepted: an account, or a line of an upload about which was decided before. */
export type Item = AccountToAccept | RefusedLine | ImportedLine;

export type Results = Map<Item, PromiseSettledResult<AcceptedAccount>>;

/** What the next statement writes of an item: a process, a refused line, or a repeated one. */
export type Write =
  | { kind: 'process'; item: AccountToAccept; process: PendingProcess }
  | { kind: 'refused'; item: Item; line: RefusedLine }
  | { kind: 'repeated'; item: AccountToAccept; line: RepeatedLine }
  | { kind: 'imported'; item: Item; line: ImportedLine }
  | {
      kind: 'correction';
      item: AccountToAccept;
      process: PendingProcess;
      correction: NewCorrection;
      changes: AccountChanges | undefined;
      line: ImportedLine | undefined;
    };

/** What a statement did with a write; undefined for a line. `closed`: the submission is not open, nothing was written. */
export type Written = WrittenProcess | { kind: 'closed' } | undefined;

const UNIQUE_VIOLATION = '23505';

/**
 * The names of what one statement writes: an account shares none with other accounts and lines of the statement, and
 * lines without a process may share theirs.
 */
export class StatementNames {
  /** True for a name that nothing else may have. */
  private readonly names = new Map<string, boolean>();

  constructor(writes: readonly Write[]) {
    for (const write of writes) this.take(write);
  }

  /** False if the write has to wait. Later ones with a name of it wait as well, so that their order is kept. */
  take(write: Write): boolean {
    const isAccount = write.kind === 'process' || write.kind === 'correction';
    const names = namesOf(isAccount ? write.item : write.line);
    const isFree = !names.some(
      (name) => this.names.get(name) === true || (isAccount && this.names.has(name)),
    );
    for (const name of names) this.names.set(name, isAccount || !isFree);
    return isFree;
  }
}

/** The names of an account, or of a line that may be about the same account. */
function namesOf(item: AccountToAccept | RefusedLine | RepeatedLine | ImportedLine): string[] {
  if ('process' in item) {
    const { externalAccountNumber, externalIdentifier } = item.process;
    return [`account ${externalAccountNumber}`, `identifier ${externalIdentifier}`];
  }
  const { externalAccountNumber } = item;
  if (externalAccountNumber !== null) return [`account ${externalAccountNumber}`];
  return 'refusedKey' in item ? [`line ${item.refusedKey.toString('hex')}`] : [];
}

/** What a statement writes of a line that was decided before. */
export function writeOfLine(line: RefusedLine | ImportedLine): Write {
  return 'importedProcessId' in line
    ? { kind: 'imported', item: line, line }
    : { kind: 'refused', item: line, line };
}

/** What a statement writes of an account: nothing if it is refused, repeated or unchanged by itself. */
export function writeOf(
  item: AccountToAccept,
  decision: Decision,
  existing: ExistingProcess | undefined,
  changes: AccountChanges | undefined,
  upload: AcceptingUpload | undefined,
): Write | undefined {
  if (decision.kind === 'replace') return { kind: 'process', item, process: decision.process };
  if (decision.kind === 'refused')
    return upload && { kind: 'refused', item, line: upload.refuse(item, decision.refusal) };
  if (!existing) return undefined;
  if (decision.kind === 'repeated')
    return upload && { kind: 'repeated', item, line: upload.repeat(item, existing) };
  if (decision.kind === 'unchanged')
    return upload && { kind: 'imported', item, line: upload.imported(item, existing, 'unchanged') };
  const { process } = item;
  return {
    kind: 'correction',
    item,
    process,
    correction: {
      process: existing,
      isDryRun: process.isDryRun,
      payloadHash: process.payloadHash,
      payloadDigest: process.payloadDigest as Buffer,
      payload: process.payload,
      contextDigest: process.contextDigest,
      actor: process.actor,
      submissionId: upload?.key.submissionId ?? null,
      changes: changes?.changes ?? null,
      count: changes?.count ?? 0,
    },
    changes,
    line: upload?.imported(item, existing, 'correction'),
  };
}

/** Stores the result of a write. Returns the account if it was not written and has to be decided about again. */
export function conclude(write: Write, outcome: PromiseSettledResult<Written>, results: Results): Item[] {
  const { item } = write;
  if (outcome.status === 'rejected') {
    // Another request has taken the identifier. Read again, its account is there.
    if (write.kind === 'process' && isUniqueViolation(outcome.reason)) return [item];
    results.set(item, outcome);
    return [];
  }
  const written = outcome.value;
  if (written?.kind === 'closed') {
    results.set(item, { status: 'rejected', reason: buildClosed() });
    return [];
  }
  if (write.kind === 'correction') {
    const { process, changes } = write;
    if (written?.kind !== 'written') return [item];
    const { version, batchId } = written;
    const value = { kind: 'correcting' as const, version, process, batchId, changes };
    results.set(item, { status: 'fulfilled', value });
    return [];
  }
  if (write.kind === 'imported') {
    if (!results.has(item)) results.set(item, { status: 'fulfilled', value: { kind: 'unchanged' } });
    return [];
  }
  if (write.kind !== 'process') {
    // An account has its result already.
    if (!results.has(item))
      results.set(item, { status: 'fulfilled', value: { kind: 'refused', refusal: undefined } });
    return [];
  }
  const { process } = write;
  if (written?.kind !== 'written') return [item];
  const { version, batchId } = written;
  results.set(item, {
    status: 'fulfilled',
    value: { kind: process.replaces ? 'replaced' : 'created', version, process, batchId },
  });
  return [];
}

function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION;
}

export function buildClosed(): PortageError {
  return new PortageError('submission_not_open', 'The submission is not open.');
}

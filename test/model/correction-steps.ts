import type { Step } from './explorer';
import {
  type CorrectionRequest,
  findPendingCorrection,
  type Mutation,
  type Payload,
  removeAccount,
  type Row,
  setCorrection,
  setWorker,
  spend,
  type State,
  type Worker,
} from './import-process-state';

/*
 * The steps that correct an imported account or remove it. A request reads first and writes later, and so does a removal:
 * anything may come in between, except what the lock of the account prevents.
 */

/** Requests of the supplier to correct its account or to take it back, and rollbacks of an operator. */
export function requestSteps(state: State, row: Row, without: Mutation | undefined): Step<State>[] {
  const { left, isPaused, requests, removal } = state;
  const steps: Step<State>[] = [];
  if (left.corrections > 0 && row.number !== null && !isPaused)
    for (const payload of ['a', 'b'] as const) {
      const spent = spend(state, 'corrections');
      const request = decide(state, row, payload);
      const next = request ? { ...spent, requests: [...requests, request] } : spent;
      steps.push({ name: `correct ${payload}: find-existing-import-processes`, next });
    }
  for (const [index, request] of requests.entries())
    steps.push({
      name: `request ${index}: write-corrections`,
      next: accept(state, row, index, request, without),
    });
  if (removal) return [...steps, removalStep(state, row, removal)];
  if (row.number === null) return steps;
  const isBeingCorrected = findPendingCorrection(state) !== undefined;
  const erased = isErased(state);
  const hasAdditions =
    state.accounts.some(({ additions }) => additions > 0) &&
    without !== 'additions in obstacles-to-remove-accounts';
  const isKept = erased || hasAdditions || isBeingCorrected;
  if (left.takeBacks > 0 && !isPaused) {
    const spent = spend(state, 'takeBacks');
    steps.push({
      name: 'take back: obstacles-to-remove-accounts',
      next: isKept ? spent : { ...spent, removal: 'take back' },
    });
  }
  if (left.rollbacks > 0) {
    const spent = spend(state, 'rollbacks');
    steps.push({
      name: 'roll back: obstacles-to-remove-accounts',
      next: isKept || isCorrected(state) ? spent : { ...spent, removal: 'roll back' },
    });
  }
  if (left.additions > 0 && !erased && !isPaused) {
    const accounts = state.accounts.map((account) => ({ ...account, additions: account.additions + 1 }));
    steps.push({ name: 'a note is added', next: { ...spend(state, 'additions'), accounts } });
  }
  if (left.erasures > 0 && !erased)
    steps.push({ name: 'erase: erase-account', next: erase(spend(state, 'erasures'), without) });
  return steps;
}

/** `remove-accounts`, and the commit. */
export function removalStep(state: State, row: Row, removal: NonNullable<State['removal']>): Step<State> {
  const removed = removeAccount({ ...state, removal: null }, row);
  const breach =
    removal === 'roll back' && isCorrected(state) ? 'A corrected account was rolled back.' : null;
  return { name: `${removal}: remove-accounts`, next: { ...removed, breach } };
}

/** `read-corrections`; a repeated run is counted. */
export function findCorrection(
  state: State,
  index: number,
  worker: Worker,
  row: Row,
  without: Mutation | undefined,
): State {
  const correction = findPendingCorrection(state);
  if (correction?.version !== worker.version || state.isPaused)
    return setWorker(state, index, { ...worker, at: 'cancel-missed' });
  const { version, payload } = correction;
  const isCurrent = row.version === version || without === 'version in read-corrections';
  // The account that it corrects may be gone, and the process may have another one.
  const at = row.number !== null && isCurrent ? 'correct' : 'fail-correction';
  const found = worker.isFirstRun ? state : setCorrection(state, { ...correction, isOverdue: false });
  return setWorker(found, index, { ...worker, payload, number: row.number ?? 0, at });
}

/** The transaction that ends a correction and writes the account, or does nothing. */
export function performCorrection(
  state: State,
  index: number,
  worker: Worker,
  row: Row,
  without: Mutation | undefined,
): State {
  const go = (at: Worker['at'], from = state) => setWorker(from, index, { ...worker, at });
  const { version, payload } = worker;
  const correction = state.corrections.find((other) => other.version === version);
  const isPending = correction?.status === 'PENDING';
  if (!correction || (!isPending && without !== 'status in succeed-corrections')) return go('completed');
  const [account] = state.accounts;
  const isSameAccount =
    account?.number === worker.number || without === 'number of the account in a correction';
  if (!account || account.isErased || !isSameAccount) return go('fail-correction');
  let { breach } = state;
  if (version <= state.cancelledVersion)
    breach = 'The correction of a removed account has changed another one.';
  else if (!isPending) breach = 'A correction has ended twice.';
  const corrected = { ...state, row: { ...row, payload }, accounts: [{ ...account, payload }], breach };
  return go('completed', setCorrection(corrected, { ...correction, status: 'SUCCEEDED' }));
}

/** `end-corrections` */
export function failCorrection(
  state: State,
  index: number,
  worker: Worker,
  without: Mutation | undefined,
): State {
  const correction = state.corrections.find(({ version }) => version === worker.version);
  const isPending = correction?.status === 'PENDING';
  if (!correction || (!isPending && without !== 'status in end-corrections'))
    return setWorker(state, index, { ...worker, at: 'completed' });
  const breach = isPending ? state.breach : 'A correction has ended twice.';
  const failed = setCorrection({ ...state, breach }, { ...correction, status: 'ERRORED' });
  return setWorker(failed, index, { ...worker, at: 'failed' });
}

/** `erase-account`, in a transaction that has locked the account and its process before. */
function erase(state: State, without: Mutation | undefined): State {
  const erased = {
    ...state,
    accounts: state.accounts.map((account) => ({ ...account, isErased: true, additions: 0 })),
  };
  const pending = findPendingCorrection(state);
  return pending && without !== 'corrections in erase-account'
    ? setCorrection(erased, { ...pending, status: 'CANCELLED' })
    : erased;
}

/** What a request to correct the account is to write; undefined if nothing changes or it is refused. */
function decide(state: State, row: Row, payload: Payload): CorrectionRequest | undefined {
  if (row.number === null || isErased(state) || findPendingCorrection(state) || row.payload === payload)
    return undefined;
  return { version: row.version, payload, from: row.payload };
}

/** `write-corrections`. If the process has changed since it was read, the request is decided about again. */
function accept(
  state: State,
  row: Row,
  index: number,
  request: CorrectionRequest,
  without: Mutation | undefined,
): State {
  const { payload, from } = request;
  const isAsRead = request.version === row.version || without === 'version in write-corrections';
  const isGone = isErased(state) && without !== 'erasure in write-corrections';
  if (!isAsRead || row.status !== 'PROCESSED' || isGone || findPendingCorrection(state)) {
    const again = decide(state, row, payload);
    const requests = state.requests.flatMap((other, at) => (at === index ? (again ?? []) : other));
    return { ...state, requests };
  }
  const version = row.version + 1;
  return {
    ...state,
    row: { ...row, version, attempt: 0 },
    corrections: [...state.corrections, { version, status: 'PENDING', payload, from, isOverdue: false }],
    requests: state.requests.filter((_other, at) => at !== index),
    pending: [...state.pending, version],
  };
}

function isErased({ accounts: [account] }: State): boolean {
  return account?.isErased ?? false;
}

/** True if the account was corrected since its import. */
function isCorrected({ accounts: [account], corrections }: State): boolean {
  return corrections.some(
    ({ status, version }) => status === 'SUCCEEDED' && account !== undefined && version > account.version,
  );
}

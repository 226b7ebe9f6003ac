import { Injectable } from '@nestjs/common';
import { AccountRequestRepository } from '@portage/accounts';
import { Database } from '@portage/platform';
import {
  ImportProcessStagingRepository,
  type ProcessEnd,
} from '../processes/import-process-staging.repository';
import { ImportAccounts } from '../accounts/import-accounts';
import type { ProcessingInput, ProcessingOutcome } from './processing-request';

/**
 * The result of a job. `outdated`: the request was finished before, or another attempt is still running. `held`: the
 * supplier is paused, and the request stays unfinished. The sweeper adds its job again.
 */
export type ProcessingResult = ProcessingOutcome['kind'] | 'outdated' | 'held';

/** The worker's half of processing a staged account (v1): creates the account and stores the outcome. */
@Injectable()
export class PerformProcessingRequest {
  constructor(
    private readonly requests: AccountRequestRepository,
    private readonly staging: ImportProcessStagingRepository,
    private readonly importAccounts: ImportAccounts,
    private readonly database: Database,
  ) {}

  /**
   * Safe to repeat and to run concurrently: the process is imported once, and its row has the outcome after a
   * crash.
   *
   * @param isLastAttempt true if the queue will not retry, so that a transient failure ends the process too
   * @throws transient failures, which the queue retries
   */
  async run(requestId: string, isLastAttempt: boolean): Promise<ProcessingResult> {
    const [request] = await this.requests.start([requestId], 'process-account');
    if (!request) return 'outdated';
    const { processId, version, operationsTeam } = request.input as ProcessingInput;
    const changes = operationsTeam === undefined ? {} : { operations_team_name: operationsTeam };
    const [end] = await this.importAccounts.import([{ processId, version }], { isLastAttempt, changes });
    if (end?.kind === 'interrupted') throw end.error;
    if (end?.kind === 'held') return 'held';
    const outcome = outcomeOf(await this.staging.readVersion({ processId, version }));
    if (!outcome) return 'outdated';
    const finished = await this.requests.finish(this.database, [
      { id: requestId, outcome, retainIdempotencyKey: outcome.kind === 'created' },
    ]);
    return finished.has(requestId) ? outcome.kind : 'outdated';
  }
}

/** The outcome that the row of a process tells; undefined while another attempt runs. */
function outcomeOf(end: ProcessEnd | undefined): ProcessingOutcome | undefined {
  if (end?.status === 'IN_PROGRESS') return undefined;
  if (end?.accountNumber) return { kind: 'created', accountNumber: end.accountNumber };
  if (end?.status === 'DRY_RUN_SUCCEEDED') return { kind: 'dry-run-succeeded' };
  if (end?.errorCode) return { kind: 'errored', code: end.errorCode };
  // Another version, cancelled, or still PENDING because its payload was erased.
  return { kind: 'replaced' };
}

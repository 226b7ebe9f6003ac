import { toSummary } from './browse-processes';
import { Inject, Injectable } from '@nestjs/common';
import type { AccountChange, FailedField, ImportProcessCorrectionEntity } from '@portage/imports';
import {
  ActingOperator,
  AuditRepository,
  batchJobId,
  CONFIG,
  type Config,
  Database,
  type Executor,
  importAccountJobId,
  PortageError,
  Queues,
  withTimeout,
  byColumn,
} from '@portage/platform';
import {
  type AccountRequestRow,
  type CreatedAccountRow,
  type FollowUpRow,
  ImportProcessDetailRepository,
  type ProcessDetailRow,
  type ProcessEventRow,
} from './import-process-detail.repository';
import { maskValue, valueAt } from './masking';
import { toMoment, toMomentOrNull } from './moments';
import { isId } from './page-cursor';
import { PageReads } from './page-reads';
import type {
  AccountRequestSummary,
  CorrectionSummary,
  CreatedAccountView,
  FailedFieldView,
  FollowUpView,
  ProcessDetailView,
  TimelineEntryView,
} from './import-processes.dto';

const MAX_EVENTS = 200;
const MAX_REQUESTS = 50;
const MAX_CORRECTIONS = 50;
/** The links are left out of a page whose queue does not answer in time. */
const QUEUE_TIMEOUT_MS = 500;

/** Shows one import process to an operator. */
@Injectable()
export class ViewProcess {
  private readonly traceUrl: string | undefined;

  constructor(
    private readonly reads: PageReads,
    private readonly processes: ImportProcessDetailRepository,
    private readonly queues: Queues,
    private readonly database: Database,
    private readonly audit: AuditRepository,
    private readonly operator: ActingOperator,
    @Inject(CONFIG) { TRACE_URL_TEMPLATE }: Pick<Config, 'TRACE_URL_TEMPLATE'>,
  ) {
    this.traceUrl = TRACE_URL_TEMPLATE;
  }

  /**
   * @param hasSentences true: with the sentences of errors and warnings, which may quote the account
   * @throws PortageError `not_found`, also for a process of another supplier
   */
  async read(code: string, id: string, hasSentences = false): Promise<ProcessDetailView> {
    return this.view(code, hasSentences, async (supplierId, reads) =>
      isId(id) ? this.processes.find({ supplierId, id }, reads) : undefined,
    );
  }

  /** As {@link read}, by its external account number. */
  async readByNumber(
    code: string,
    externalAccountNumber: string,
    hasSentences = false,
  ): Promise<ProcessDetailView> {
    return this.view(code, hasSentences, async (supplierId, reads) =>
      this.processes.find({ supplierId, externalAccountNumber }, reads),
    );
  }

  private async view(
    code: string,
    hasSentences: boolean,
    find: (supplierId: number, reads: Executor) => Promise<ProcessDetailRow | undefined>,
  ): Promise<ProcessDetailView> {
    const { process, supplier, events, corrections, payload, account, followUps, requests } =
      await this.reads.run(async (reads) => {
        const found = await this.reads.requireSupplier(code, reads);
        const process = requireProcess(await find(found.id, reads));
        const { id } = process;
        const account = await this.processes.created(id, reads);
        return {
          process,
          supplier: found.code,
          account,
          events: await this.processes.events(id, MAX_EVENTS, reads),
          corrections: await this.processes.corrections(id, MAX_CORRECTIONS, reads),
          payload:
            process.errorFields !== null && process.hasPayload
              ? await this.processes.payload(id, reads)
              : undefined,
          followUps: account ? await this.processes.followUps(account.accountId, reads) : [],
          requests: await this.processes.requests(id, account?.accountId, MAX_REQUESTS, reads),
        };
      });
    const sentence = (detail: string | null) => (hasSentences ? detail : null);
    return {
      ...toSummary(process),
      import_supplier: supplier,
      external_identifier: process.externalIdentifier,
      attempt: process.attempt,
      is_dry_run: process.isDryRun,
      is_released: process.isReleased,
      schedule_window_start: toMomentOrNull(process.scheduleWindowStart),
      schedule_window_end: toMomentOrNull(process.scheduleWindowEnd),
      has_payload: process.hasPayload,
      timeline: buildTimeline(events),
      corrections: corrections.map(buildCorrection),
      error:
        process.errorCode === null
          ? null
          : {
              code: process.errorCode,
              detail: sentence(process.errorDetail),
              fields: (process.errorFields ?? []).map((field) => buildField(field, payload)),
            },
      warnings: (process.warnings ?? []).map((one) => ({ ...one, detail: sentence(one.detail) })),
      created: account ? buildCreated(account) : null,
      follow_ups: buildFollowUps(followUps),
      requests: requests.map(buildRequest),
      links: await this.findLinks(process),
    };
  }

  /** The external account number of a process. @throws PortageError `not_found`, also for a process of another supplier */
  async numberOf(code: string, id: string): Promise<string> {
    return (await this.find(code, id)).process.externalAccountNumber;
  }

  /** @throws PortageError `not_found` */
  async requireSupplier(code: string): Promise<void> {
    await this.reads.run(async (reads) => this.reads.requireSupplier(code, reads));
  }

  /**
   * The account as it was sent. The audit has an entry for each reading, which is written first.
   *
   * @throws PortageError `not_found`, also if the payload was erased
   */
  async readPayload(code: string, id: string): Promise<{ payload: unknown }> {
    const { process, supplier } = await this.find(code, id);
    if (!process.hasPayload) throw new PortageError('not_found', 'The payload of this account was erased.');
    await this.audit.record(this.database, {
      actor: this.operator.actor,
      action: 'process.read-payload',
      supplier,
      subject: process.externalAccountNumber,
      details: { version: process.version },
    });
    const payload = await this.processes.payload(id);
    if (payload === undefined) throw new PortageError('not_found', 'The payload of this account was erased.');
    return { payload };
  }

  /**
   * What a correction has changed, with the values. The audit has an entry for each reading, which is written first.
   *
   * @throws PortageError `not_found`, also if the values were erased
   */
  async readChanges(code: string, id: string, version: string): Promise<{ changes: AccountChange[] }> {
    const { process, supplier } = await this.find(code, id);
    const correction = await this.processes.correction(process.id, version);
    if (!correction?.changes)
      throw new PortageError('not_found', 'There is no such correction, or its values were erased.');
    await this.audit.record(this.database, {
      actor: this.operator.actor,
      action: 'process.read-correction',
      supplier,
      subject: process.externalAccountNumber,
      details: { version: correction.version },
    });
    return { changes: correction.changes };
  }

  private async find(code: string, id: string): Promise<{ process: ProcessDetailRow; supplier: string }> {
    return this.reads.run(async (reads) => {
      const found = await this.reads.requireSupplier(code, reads);
      const process = requireProcess(
        isId(id) ? await this.processes.find({ supplierId: found.id, id }, reads) : undefined,
      );
      return { process, supplier: found.code };
    });
  }

  /**
   * The job exists until it was removed, an hour after its end at the latest, and the trace is known as long as the
   * job.
   */
  private async findLinks({ id, version, batchId }: ProcessDetailRow): Promise<ProcessDetailView['links']> {
    const own = importAccountJobId({ processId: id, version });
    const ids = batchId === null ? [own] : [own, batchJobId(batchId)];
    const queue = this.queues.get('account-imports');
    try {
      const jobs = await withTimeout(
        QUEUE_TIMEOUT_MS,
        Promise.all(ids.map(async (jobId) => queue.getJob(jobId))),
      );
      const job = jobs.find((found) => found !== undefined);
      if (!job) return { job: null, trace: null };
      return { job: job.id ?? null, trace: this.traceOf(job.data, id) };
    } catch {
      return { job: null, trace: null };
    }
  }

  private traceOf(data: unknown, processId: string): string | null {
    if (this.traceUrl === undefined) return null;
    const { traceparent, processes } = (data ?? {}) as {
      traceparent?: unknown;
      processes?: readonly { processId: string; traceparent?: unknown }[];
    };
    const own = processes?.find((process) => process.processId === processId)?.traceparent ?? traceparent;
    const traceId = typeof own === 'string' ? /^[0-9a-f]{2}-([0-9a-f]{32})-/.exec(own)?.[1] : undefined;
    return traceId === undefined ? null : this.traceUrl.replaceAll('{trace_id}', traceId);
  }
}

function requireProcess(process: ProcessDetailRow | undefined): ProcessDetailRow {
  if (!process) throw new PortageError('not_found', 'The supplier has no such import process.');
  return process;
}

function buildTimeline(events: readonly ProcessEventRow[]): TimelineEntryView[] {
  let before: number | undefined;
  return events.map(({ event, version, attempt, occurredAt, actor, errorCode }) => {
    const at = microseconds(occurredAt);
    const durationMs = before === undefined ? null : Math.max(0, Math.round(at - before) / 1_000);
    before = at;
    return {
      event,
      version,
      attempt,
      at: toMoment(occurredAt),
      actor,
      duration_ms: durationMs,
      error_code: errorCode,
    };
  });
}

/** Microseconds since 1970. */
function microseconds(stored: string): number {
  const moment = toMoment(stored);
  return Date.parse(`${moment.slice(0, 19)}Z`) * 1_000 + Number(moment.slice(20, 26));
}

function buildField({ attr, code }: FailedField, payload: unknown): FailedFieldView {
  return {
    path: attr,
    code,
    value_masked: payload === undefined ? null : maskValue(valueAt(payload, attr)),
  };
}

function buildCreated(account: CreatedAccountRow): CreatedAccountView {
  return {
    ...byColumn(account, 'accountId'),
    created_at: toMoment(account.createdAt),
    erased_at: toMomentOrNull(account.erasedAt),
  };
}

const WAITING = ['PENDING'];
const FAILED = ['MISSING', 'REFUSED'];

/** One view for each kind, state and error: five documents of which one is missing are two entries. */
function buildFollowUps(rows: readonly FollowUpRow[]): FollowUpView[] {
  return rows.map(({ kind, state, count, updatedAt, errorCode }) => ({
    kind,
    state: WAITING.includes(state) ? 'waiting' : FAILED.includes(state) ? 'failed' : 'done',
    updated_at: toMomentOrNull(updatedAt),
    detail: [
      kind === 'documents' ? `${count} ${state}` : state,
      ...(errorCode === null ? [] : [errorCode]),
    ].join(': '),
  }));
}

/** The kinds of outcomes with which a request has changed nothing: because of what was sent, and for other reasons. */
const REFUSED_OUTCOMES = ['refused', 'errored', 'replaced'];
const FAILED_OUTCOMES = ['unavailable', 'failed'];

function buildRequest(request: AccountRequestRow): AccountRequestSummary {
  const { id, kind, createdAt, actor, errorCode } = request;
  return { id, kind, status: statusOf(request), error_code: errorCode, at: toMoment(createdAt), actor };
}

function statusOf({ status, outcome, isUnanswered }: AccountRequestRow): AccountRequestSummary['status'] {
  if (status === 'PENDING') return 'waiting';
  if (isUnanswered) return 'unanswered';
  if (outcome !== null && REFUSED_OUTCOMES.includes(outcome)) return 'refused';
  return outcome !== null && FAILED_OUTCOMES.includes(outcome) ? 'failed' : 'answered';
}

/** The paths of its changes, and none of the values. */
function buildCorrection(correction: ImportProcessCorrectionEntity): CorrectionSummary {
  return {
    version: correction.version,
    status: correction.status,
    is_dry_run: correction.isDryRun,
    submission_id: correction.submissionId,
    changed_paths: (correction.changes ?? []).map(({ path }) => path),
    change_count: correction.changeCount,
    error_code: correction.errorCode,
    actor: correction.actor,
    created_at: toMoment(correction.createdAt),
    ended_at: toMomentOrNull(correction.endedAt),
  };
}

import { Inject, Injectable } from '@nestjs/common';
import type { Throughput } from '@portage/imports';
import { type Clock, CLOCK, PortageError, Quotas, SharedRuns } from '@portage/platform';
import type { CreationMode } from '@portage/tenants';
import {
  type ErrorCodeCount,
  type SupplierOverview,
  SupplierOverviewRepository,
} from './supplier-overview.repository';
import { decodeCursor, encodeCursor, type Page, type PageRequest } from './page-cursor';
import { PageReads } from './page-reads';
import { buildSettings, buildSummary, statesOf } from './supplier-summary';
import type {
  FunnelView,
  StateCountsView,
  SupplierDetailView,
  SupplierSettingsView,
  SupplierSummaryView,
  TopErrorView,
} from './suppliers.dto';

const MAX_ERROR_CODES = 10;

/** Suppliers, for the pages of operators. All figures are those of the moment. */
@Injectable()
export class ViewSuppliers {
  private readonly details = new SharedRuns<SupplierDetailView>();

  constructor(
    private readonly reads: PageReads,
    private readonly suppliers: SupplierOverviewRepository,
    private readonly quotas: Quotas,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Suppliers with their settings, by code. @throws PortageError `validation_error` */
  async list({ limit, cursor }: PageRequest): Promise<Page<SupplierSettingsView>> {
    const [after = ''] = cursor === undefined ? [] : decodeCursor(cursor, 1, () => true);
    const rows = await this.reads.run(async (reads) => this.suppliers.settings(after, limit + 1, reads));
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      items: page.map(buildSettings),
      next_cursor: rows.length > limit && last ? encodeCursor([last.code]) : null,
    };
  }

  /** The summaries of the first suppliers by code. */
  async summaries(rows: number): Promise<SupplierSummaryView[]> {
    const now = this.clock.now();
    const suppliers = await this.reads.run(async (reads) => this.suppliers.list(rows, reads));
    return suppliers.map((supplier) => buildSummary(supplier, now));
  }

  /** The settings of a supplier. @throws PortageError `not_found` */
  async settings(code: string): Promise<SupplierSettingsView> {
    return buildSettings(await this.reads.run(async (reads) => this.reads.requireSupplier(code, reads)));
  }

  /** The organisation of a supplier. @throws PortageError `not_found` */
  async organisationOf(code: string): Promise<number> {
    return (await this.reads.run(async (reads) => this.reads.requireSupplier(code, reads))).organisationId;
  }

  /** Concurrent calls share a read. @throws PortageError `not_found` */
  async read(code: string): Promise<SupplierDetailView> {
    return this.details.join(code, async () => this.load(code));
  }

  private async load(code: string): Promise<SupplierDetailView> {
    const now = this.clock.now();
    return this.reads.run(async (reads) => {
      const settings = await this.reads.requireSupplier(code, reads);
      const overview = await this.suppliers.find(settings.code, reads);
      if (!overview) throw new PortageError('not_found', 'There is no such import supplier.');
      const errors = await this.suppliers.errorCodes(overview.id, MAX_ERROR_CODES, reads);
      const states = statesOf(overview);
      const failed = states.ERRORED + states.DRY_RUN_ERRORED + (overview.counts.LINE_REFUSED ?? 0);
      return {
        settings: buildSettings(settings),
        summary: buildSummary(overview, now),
        funnel: buildFunnel(overview, states),
        top_errors: errors.map((error) => buildTopError(error, failed)),
        latency_ms: meanLatency(overview.minutes),
        quotas: await this.quotas.read(
          { supplierId: overview.id, supplier: overview.code, organisationId: settings.organisationId },
          reads,
        ),
      };
    });
  }
}

function buildTopError(
  { code, count, refusedLines, processId, externalAccountNumber: number }: ErrorCodeCount,
  failed: number,
): TopErrorView {
  const total = count + refusedLines;
  return {
    code,
    count,
    refused_lines: refusedLines,
    share: Math.round(Math.min(1, total / Math.max(failed, total)) * 10_000) / 10_000,
    example:
      processId === null || number === null
        ? null
        : { process_id: processId, external_account_number: number },
  };
}

function buildFunnel(
  {
    creationMode,
    counts: { FOLLOWED_UP = 0, LINE_REFUSED = 0 },
  }: SupplierOverview & { creationMode: CreationMode },
  states: StateCountsView,
): FunnelView {
  const { STAGED: _staged, ...counts } = states;
  const received = Object.values(counts).reduce((total, count) => total + count, 0);
  const errored = states.ERRORED + states.DRY_RUN_ERRORED;
  return {
    refused_lines: LINE_REFUSED,
    received,
    valid: received - errored,
    dry_run_succeeded: states.DRY_RUN_SUCCEEDED + (creationMode === 'direct' ? 0 : states.PROCESSED),
    created: states.PROCESSED,
    followed_up: Math.min(FOLLOWED_UP, states.PROCESSED),
    errored,
    cancelled: states.CANCELLED,
  };
}

function sum(
  minutes: readonly Throughput[],
  name: 'accepted' | 'processed' | 'errored' | 'latencyCount' | 'latencyMs',
): number {
  return minutes.reduce((total, minute) => total + minute[name], 0);
}

function meanLatency(minutes: readonly Throughput[]): number | null {
  const count = sum(minutes, 'latencyCount');
  return count === 0 ? null : Math.round((sum(minutes, 'latencyMs') / count) * 10) / 10;
}

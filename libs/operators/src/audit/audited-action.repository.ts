import { Injectable } from '@nestjs/common';
import {
  ImportProcessCorrectionEntity,
  ImportProcessEntity,
  ImportProcessEventEntity,
} from '@portage/imports';
import { AuditEntryEntity, type Executor } from '@portage/platform';
import { In } from 'typeorm';

/** An audited action as it is read: an entry of the table, or the event of a scheduled account or correction. */
export interface AuditedAction extends AuditEntryEntity {
  /** The version of the account; 0 for an entry of the table. */
  version: number;
}

/** The place of an action: actions are sorted by it, and an event never has the version 0 of an entry of the table. */
export type AuditPosition = Pick<AuditedAction, 'occurredAt' | 'id' | 'version'>;

/** The actions to read. */
export interface AuditSource {
  since: string;
  /** Those of the table. */
  hasEntries: boolean;
  /** Scheduled accounts and corrections, which the events of their processes audit. */
  hasSchedulings: boolean;
}

/** Reads audited actions from where they are stored. */
@Injectable()
export class AuditedActionRepository {
  /**
   * Reads up to `rows` actions that come after `position` and are not older than `since`, the newest first. The paths of a
   * correction are null once its changes were erased.
   */
  async read(
    { since, hasEntries, hasSchedulings }: AuditSource,
    position: AuditPosition,
    rows: number,
    executor: Executor,
  ): Promise<AuditedAction[]> {
    const bounds = { since, ...position };
    const entries = hasEntries ? await this.readEntries(bounds, rows, executor) : [];
    const schedulings = hasSchedulings ? await this.readSchedulings(bounds, rows, executor) : [];
    return [...entries, ...schedulings].toSorted(compareNewestFirst).slice(0, rows);
  }

  private async readEntries(
    bounds: AuditPosition & Pick<AuditSource, 'since'>,
    rows: number,
    { manager }: Executor,
  ): Promise<AuditedAction[]> {
    const entries = await manager
      .createQueryBuilder(AuditEntryEntity, 'entry')
      .where('entry.occurredAt >= :since', bounds)
      .andWhere('(entry.occurredAt, entry.id, 0) < (:occurredAt, :id, :version)')
      .orderBy('entry.occurredAt', 'DESC')
      .addOrderBy('entry.id', 'DESC')
      .limit(rows)
      .getMany();
    return entries.map((entry) => Object.assign(entry, { version: 0 }));
  }

  private async readSchedulings(
    bounds: AuditPosition & Pick<AuditSource, 'since'>,
    rows: number,
    { manager }: Executor,
  ): Promise<AuditedAction[]> {
    const events = await manager
      .createQueryBuilder(ImportProcessEventEntity, 'event')
      // The condition of the partial index.
      .where(`event.event IN ('SCHEDULED', 'CORRECTION_SCHEDULED') AND event.actor IS NOT NULL`)
      .andWhere('event.occurredAt >= :since', bounds)
      .andWhere('(event.occurredAt, event.processId, event.version) < (:occurredAt, :id, :version)')
      .orderBy('event.occurredAt', 'DESC')
      .addOrderBy('event.processId', 'DESC')
      .addOrderBy('event.version', 'DESC')
      .limit(rows)
      .getMany();
    const processes = await manager.find(ImportProcessEntity, {
      select: { id: true, externalAccountNumber: true, supplier: { id: true, code: true } },
      where: { id: In(events.map(({ processId }) => processId)) },
      relations: { supplier: true },
    });
    const corrected = events.filter(({ event }) => event !== 'SCHEDULED');
    const corrections = await manager.find(ImportProcessCorrectionEntity, {
      select: { processId: true, version: true, isDryRun: true, changeCount: true, changes: true },
      where: {
        processId: In(corrected.map(({ processId }) => processId)),
        version: In(corrected.map(({ version }) => version)),
      },
    });
    const processOf = new Map(processes.map((process) => [process.id, process]));
    const correctionOf = new Map(
      corrections.map((correction) => [`${correction.processId} ${correction.version}`, correction]),
    );
    return events.map(({ occurredAt, processId: id, version, event, actor }) => {
      const process = processOf.get(id);
      const correction = correctionOf.get(`${id} ${version}`);
      return {
        occurredAt,
        id,
        version,
        actor: actor as string,
        action: event === 'SCHEDULED' ? 'account.schedule' : 'account.correct',
        supplier: process?.supplier?.code ?? null,
        subject: process?.externalAccountNumber ?? null,
        details: { version, ...(correction && detailsOf(correction)) },
      };
    });
  }
}

function detailsOf({ isDryRun, changeCount, changes }: ImportProcessCorrectionEntity) {
  return {
    is_dry_run: isDryRun,
    change_count: changeCount,
    paths: changes?.map(({ path }) => path) ?? null,
  };
}

/** The text of timestamps in UTC sorts as the timestamps do. */
function compareNewestFirst(one: AuditedAction, other: AuditedAction): number {
  if (one.occurredAt !== other.occurredAt) return one.occurredAt < other.occurredAt ? 1 : -1;
  return Number(BigInt(other.id) - BigInt(one.id)) || other.version - one.version;
}

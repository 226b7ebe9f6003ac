import { Injectable } from '@nestjs/common';
import {
  type ImportSupplierEntity,
  ImportProcessRepository,
  ImportSupplierRepository,
  type ProcessSelection,
} from '@portage/database';
import {
  type ImportProcessEvent,
  type ImportProcessStatus,
  IMPORT_PROCESS_TRANSITIONS,
} from '@portage/domain';
import { importAccountJob, JobProducer } from '@portage/queues';
import { Refusal } from '../refusal';

export type SteeringAction = 'release' | 'cancel' | 'retry';

/** Which of a supplier's processes an operator means. */
export interface Steered {
  supplier: string;
  externalAccountNumber?: string | undefined;
  status?: ImportProcessStatus | undefined;
  errorCode?: string | undefined;
}

const CHUNK = 500;
const EVENTS: Record<SteeringAction, ImportProcessEvent> = {
  release: 'RELEASED',
  cancel: 'CANCELLED',
  retry: 'RETRIED',
};

/** Releases, cancels and retries processes, one or a whole cohort (DESIGN 2 and 6). */
@Injectable()
export class SteerImportProcesses {
  constructor(
    private readonly suppliers: ImportSupplierRepository,
    private readonly processes: ImportProcessRepository,
    private readonly jobs: JobProducer,
  ) {}

  /**
   * Works through the selection a chunk at a time. Processes in a state that forbids the action are passed over; a
   * bulk retry leaves cancelled ones alone unless they are asked for.
   *
   * @param progress hears after each chunk how many have been steered
   * @returns how many were steered
   */
  async steer(action: SteeringAction, which: Steered, progress: (count: number) => void): Promise<number> {
    const supplier = await this.supplier(which.supplier);
    const isBulkRetry = action === 'retry' && !which.status && !which.externalAccountNumber;
    const selection: ProcessSelection = {
      supplierId: supplier.id,
      externalAccountNumber: which.externalAccountNumber,
      errorCode: which.errorCode,
      statuses: which.status ? [which.status] : isBulkRetry ? ['ERRORED', 'DRY_RUN_ERRORED'] : undefined,
    };
    const { to } = IMPORT_PROCESS_TRANSITIONS[action];
    let count = 0;
    let after = '0';
    for (;;) {
      const steered = await this.processes.steer(selection, action, to, EVENTS[action], after, CHUNK);
      if (steered.length === 0) return count;
      if (to === 'PENDING')
        await this.jobs.add(
          'account-imports',
          steered.map(({ processId, version, externalAccountNumber }) =>
            importAccountJob({ processId, version, supplier: supplier.code, externalAccountNumber }),
          ),
        );
      count += steered.length;
      after = (steered.at(-1) as { processId: string }).processId;
      progress(count);
    }
  }

  private async supplier(code: string): Promise<ImportSupplierEntity> {
    const supplier = await this.suppliers.findByCode(code);
    if (!supplier) throw new Refusal(`There is no supplier ${code}. List them with: supplier list`);
    return supplier;
  }
}

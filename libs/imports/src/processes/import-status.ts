import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config, PortageError, toOffsetMicroseconds } from '@portage/platform';
import { ImportSupplierDirectory } from '@portage/tenants';
import type { ImportProcessView, StoredCorrection } from './import-process-reading.repository';
import { publicEventName } from './event';
import { transferStatus } from './status';
import type { CorrectionStateView, ImportProcessStatusView, TransferStatusView } from './import-process.dto';
import { ImportProcessFinder } from './import-process-finder';
import { toProcessError } from './process-error';

/** A view of an import process, and the digest of its payload. */
export interface ImportStatusAnswer<View> {
  view: View;
  /** SHA-256 in base64; null if the payload was erased. */
  payloadDigest: string | null;
  /** Of an imported account: how many documents it names, were not found so far and were refused; null for others. */
  documents: ImportProcessView['documents'];
}

/** Reads the status of one account (contract, "Read the status of an import", "Read the v1 status of an import"). */
@Injectable()
export class ImportStatus {
  constructor(
    private readonly suppliers: ImportSupplierDirectory,
    private readonly processes: ImportProcessFinder,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * The v2 status of a process (contract, "Read the status of an import").
   *
   * @param identifier its external identifier
   * @throws PortageError `not_found`
   */
  async readV2(
    organisationId: number,
    supplierCode: string,
    identifier: string,
  ): Promise<ImportStatusAnswer<ImportProcessStatusView>> {
    const supplier = await this.suppliers.require(organisationId, supplierCode);
    const process = await this.processes.find('external_identifier', supplier.id, identifier);
    if (!process)
      throw new PortageError('not_found', 'There is no import process with this external identifier.');
    const zone = this.config.PLATFORM_TIMEZONE;
    const error = toProcessError(process);
    const at = (stored: string) => toOffsetMicroseconds(stored, zone);
    const view: ImportProcessStatusView = {
      status: process.status,
      platform_identifier: process.accountNumber,
      created_at: at(process.createdAt),
      modified_at: at(process.modifiedAt),
      schedule_window_start: process.scheduleWindowStart && at(process.scheduleWindowStart),
      schedule_window_end: process.scheduleWindowEnd && at(process.scheduleWindowEnd),
      latest_event: {
        event: publicEventName(process.latestEvent),
        occurred_at: at(process.latestEventAt),
        data: process.latestEvent === 'ERRORED' ? error : null,
      },
      latest_error: error,
      correction: process.correction && toCorrection(process.correction, at),
    };
    return { view, payloadDigest: process.payloadDigest, documents: process.documents };
  }

  /**
   * The v1 status of a process (contract, "Read the v1 status of an import").
   *
   * @param accountNumber its external account number
   * @throws PortageError `not_found`
   */
  async readV1(
    organisationId: number,
    supplierCode: string,
    accountNumber: string,
  ): Promise<ImportStatusAnswer<TransferStatusView>> {
    const supplier = await this.suppliers.require(organisationId, supplierCode);
    const process = await this.processes.find('external_account_number', supplier.id, accountNumber);
    if (!process)
      throw new PortageError('not_found', 'There is no account with this external account number.');
    const view: TransferStatusView = {
      status: transferStatus(process, supplier.creationMode),
      platform_account_number: process.accountNumber ?? '',
    };
    return { view, payloadDigest: process.payloadDigest, documents: process.documents };
  }
}

function toCorrection(correction: StoredCorrection, at: (stored: string) => string): CorrectionStateView {
  return {
    version: correction.version,
    status: correction.status,
    is_dry_run: correction.isDryRun,
    created_at: at(correction.createdAt),
    ended_at: correction.endedAt && at(correction.endedAt),
    error: toProcessError(correction),
  };
}

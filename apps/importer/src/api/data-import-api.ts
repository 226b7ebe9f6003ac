import type { FieldError, PortageClient } from '@portage/client';
import { errorsOf } from './refusal';

/** The result of validating an account: no errors if it is valid. */
export interface Validation {
  errors: FieldError[];
  ignoredFields: string[];
}

/** The code of an account that was imported before. */
export const ALREADY_IMPORTED = 'account_import_process_already_imported';

/**
 * The calls of the data-import API that check a book of accounts. Every call may throw Unreachable, TokenRefused or
 * AccessLost. Errors about the account itself are return values.
 */
export class DataImportApi {
  constructor(private readonly portage: PortageClient) {}

  /**
   * Checks an account, and schedules nothing.
   *
   * @param text the account as written in the book, or wrapped with its task parameters
   */
  async validate(text: string): Promise<Validation> {
    const { error, response } = await this.portage.validateAccount({ text, throwOnError: false });
    return { errors: error === undefined ? [] : errorsOf(error), ignoredFields: response.ignoredFields };
  }

  /** The digest of the payload that was accepted for an account; undefined if the service does not know it. */
  async acceptedDigest(supplier: string, identifier: string): Promise<string | undefined> {
    const path = { supplier, identifier };
    const { data, response } = await this.portage.readAccountImport({ path, throwOnError: false });
    return data === undefined ? undefined : response.payloadDigest;
  }
}

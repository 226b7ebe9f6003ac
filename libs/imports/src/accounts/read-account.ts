import { Injectable } from '@nestjs/common';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { Account } from '@portage/account-schema';
import { AccountContentRepository, AdditionCountsView, toImportedContent } from '@portage/accounts';
import { AuditRepository, Database, PortageError, toUtcSeconds, Turns } from '@portage/platform';
import { readIdentifier } from '@portage/text';
import { type Caller, ImportSupplierDirectory } from '@portage/tenants';
import { ImportProcessFinder } from '../processes/import-process-finder';
import { formatPayloadDigest } from './account-body';

/** An account as it was imported. */
@ApiSchema({ name: 'ImportedAccount' })
export class ImportedAccountView {
  @ApiProperty()
  platform_account_number: string;

  @ApiProperty({ format: 'date-time' })
  account_created_at: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'SHA-256 of the imported payload, in the form of the header `Payload-Digest`; null once the payload was erased.',
  })
  payload_digest: string | null;

  @ApiProperty({
    type: Account,
    description: 'From the stored rows, without what requests have added since the import.',
  })
  account: Record<string, unknown>;

  @ApiProperty({ type: AdditionCountsView, description: 'What is left out, by its number.' })
  additions: AdditionCountsView;
}

/** Reads an imported account back, for its supplier. */
@Injectable()
export class ReadAccount {
  private readonly turns = new Turns('Your organisation reads too many accounts back at once.');

  constructor(
    private readonly suppliers: ImportSupplierDirectory,
    private readonly processes: ImportProcessFinder,
    private readonly accounts: AccountContentRepository,
    private readonly database: Database,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * The account as it was imported. It is read from the account tables, not from the payload that was sent. The audit has
   * an entry for each reading. In one process the accounts of an organisation are read one after the other.
   *
   * @param identifier its external identifier
   * @throws PortageError `not_found` if it is not imported, or its personal data was erased; `quota_reached`
   * @throws Throttled if too many readings wait
   */
  async read(
    { organisationId, actor }: Pick<Caller, 'organisationId' | 'actor'>,
    supplierCode: string,
    identifier: string,
  ): Promise<ImportedAccountView> {
    const supplier = await this.suppliers.require(organisationId, supplierCode);
    const name = readIdentifier(identifier);
    const content =
      name === undefined
        ? undefined
        : await this.turns.run(String(organisationId), async () => this.accounts.find(supplier.id, name));
    if (name === undefined || !content)
      throw new PortageError('not_found', 'There is no imported account with this external identifier.');
    await this.audit.record(this.database, {
      actor,
      action: 'account.read',
      supplier: supplier.code,
      subject: content.number,
    });
    const process = await this.processes.find('external_identifier', supplier.id, name);
    return {
      platform_account_number: content.number,
      account_created_at: toUtcSeconds(content.createdAt),
      payload_digest: process?.payloadDigest ? formatPayloadDigest(process.payloadDigest) : null,
      account: await toImportedContent(content, supplier.code),
      additions: content.additions,
    };
  }
}

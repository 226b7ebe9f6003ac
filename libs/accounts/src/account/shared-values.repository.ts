import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '@portage/platform';

/** A supply point, an e-mail address or a mandate of an account that is to be imported. */
export interface StoredValue {
  kind: 'supply-point' | 'email' | 'mandate';
  /** An e-mail address is in lower case. A mandate is its vendor in capitals, a space and the reference. */
  value: string;
  organisationId: number;
  supplierId: number;
  /** The account itself, which is not another one. */
  externalAccountNumber: string;
}

/** What stored accounts have of a value. */
export interface StoredShare {
  /** External account number of another account of the supplier that has the supply point or the mandate. */
  otherAccount: string | null;
  /** Other accounts of the organisation whose customer has the e-mail address and a role; at most `maxAccounts`. */
  accounts: number;
}

/** Roles of one e-mail address that are read, for each account that is counted. */
const ROLES_OF_ACCOUNT = 5;

const readShares: Statement = {
  name: 'read-shared-values',
  // Each value probes one index that begins with the supplier or the organisation, and reads a limited number of its
  // entries, however much is stored.
  text: `
    SELECT coalesce(point.number, mandate.number) AS other_account, coalesce(held.accounts, 0) AS accounts
    FROM unnest($1::text[], $2::text[], $3::integer[], $4::integer[], $5::text[]) WITH ORDINALITY
      AS shared (kind, value, organisation_id, supplier_id, own_number, ordinal)
    LEFT JOIN LATERAL (
      SELECT account.external_account_number AS number FROM (
        SELECT account_id FROM supply_point
        WHERE kind = 'supply-point' AND supplier_id = shared.supplier_id
          AND hashtextextended(identifier, 0) = hashtextextended(shared.value, 0) AND identifier = shared.value
        LIMIT $6::integer
      ) stored JOIN LATERAL (
        SELECT external_account_number FROM account WHERE id = stored.account_id OFFSET 0
      ) account ON external_account_number <> own_number
      LIMIT 1
    ) point ON true
    LEFT JOIN LATERAL (
      SELECT account.external_account_number AS number FROM (
        SELECT account_id FROM payment_instruction
        WHERE kind = 'mandate' AND is_active
          AND hashtextextended(upper(vendor) || ' ' || reference, 0) = hashtextextended(shared.value, 0)
          AND upper(vendor) || ' ' || reference = shared.value
        LIMIT $6::integer
      ) stored JOIN LATERAL (
        SELECT external_account_number, supplier_id FROM account WHERE id = stored.account_id OFFSET 0
      ) account ON account.supplier_id = shared.supplier_id AND external_account_number <> own_number
      LIMIT 1
    ) mandate ON true
    LEFT JOIN LATERAL (
      SELECT count(*)::integer AS accounts FROM (
        SELECT DISTINCT account_id FROM (
          SELECT account_id FROM held_role
          WHERE kind = 'email' AND organisation_id = shared.organisation_id AND email = shared.value
          LIMIT $6::integer * ${ROLES_OF_ACCOUNT}
        ) stored JOIN LATERAL (
          SELECT external_account_number FROM account WHERE id = stored.account_id OFFSET 0
        ) account ON external_account_number <> own_number
        LIMIT $6::integer
      ) account
    ) held ON true
    ORDER BY ordinal`,
};

/** Finds what stored accounts have in common with accounts that are to be imported. */
@Injectable()
export class SharedValuesRepository {
  constructor(private readonly database: Database) {}

  /**
   * Reads what other accounts have of the values of a batch.
   *
   * @param maxAccounts more accounts with one e-mail address are not counted
   * @returns one for each value, in their order
   */
  async read(values: readonly StoredValue[], maxAccounts: number): Promise<StoredShare[]> {
    return this.database.run<StoredShare>(readShares, [
      values.map(({ kind }) => kind),
      values.map(({ value }) => value),
      values.map(({ organisationId }) => organisationId),
      values.map(({ supplierId }) => supplierId),
      values.map(({ externalAccountNumber }) => externalAccountNumber),
      maxAccounts,
    ]);
  }
}

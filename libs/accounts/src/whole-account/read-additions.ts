import { Inject, Injectable } from '@nestjs/common';
import {
  AuditRepository,
  buildQueryError,
  CONFIG,
  type Config,
  Database,
  PortageError,
  Turns,
} from '@portage/platform';
import { type Caller, ImportSupplierDirectory } from '@portage/tenants';
import { readIdentifier } from '@portage/text';
import {
  type AccountAdditions,
  AccountAdditionsRepository,
  type AddedRows,
  type AdditionPage,
  buildCursorError,
} from './account-additions.repository';
import type { AdditionList } from './additions';
import { cursorAfter, toAdditionViews } from './additions-view';
import type { AdditionsView } from './additions.dto';

/** The part of the additions that is asked for. */
export interface AdditionsQuery {
  /** Undefined for balances and counts alone. */
  kind: AdditionList | undefined;
  /** Items of a page. Default: {@link PAGE_ROWS}. */
  limit: number | undefined;
  /** `next` of the previous page of the kind. */
  after: string | undefined;
}

/** Reads what was added to an imported account, and its balances, for its supplier. */
@Injectable()
export class ReadAdditions {
  private readonly turns = new Turns('Your organisation reads too many accounts back at once.');

  constructor(
    private readonly suppliers: ImportSupplierDirectory,
    private readonly accounts: AccountAdditionsRepository,
    private readonly database: Database,
    private readonly audit: AuditRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * A page of what requests have added since the import. The audit has an entry for each reading. In one process the
   * accounts of an organisation are read one after the other.
   *
   * @param identifier the external identifier of the account
   * @throws PortageError `not_found` if it is not imported, or its personal data was erased; `validation_error` for a
   * malformed cursor; `quota_reached`
   * @throws Throttled if too many readings wait
   */
  async read(
    { organisationId, actor }: Pick<Caller, 'organisationId' | 'actor'>,
    supplierCode: string,
    identifier: string,
    query: AdditionsQuery,
  ): Promise<AdditionsView> {
    const supplier = await this.suppliers.require(organisationId, supplierCode);
    const page = toPage(query);
    const name = readIdentifier(identifier);
    const found =
      name === undefined
        ? undefined
        : await this.turns.run(String(organisationId), async () =>
            this.accounts.find(supplier.id, name, page),
          );
    if (!found)
      throw new PortageError('not_found', 'There is no imported account with this external identifier.');
    await this.audit.record(this.database, {
      actor,
      action: 'account.read',
      supplier: supplier.code,
      subject: found.account.number,
    });
    return {
      balances: found.ledgers.map(({ ledgerCode, balance }) => ({
        ledger_code: ledgerCode,
        balance,
        currency: supplier.currency,
      })),
      counts: found.counts,
      ...this.buildPage(page, found),
    };
  }

  /** The page that was asked for, of which there is another one if it has more rows than its limit. */
  private buildPage(
    asked: AdditionPage | undefined,
    { page }: AccountAdditions,
  ): Pick<AdditionsView, 'items' | 'next'> {
    if (!asked || !page) return { items: [], next: null };
    const shown = { ...page, rows: page.rows.slice(0, asked.limit) } as AddedRows;
    return {
      items: toAdditionViews(shown, this.config.PLATFORM_TIMEZONE),
      next: page.rows.length > asked.limit ? (cursorAfter(shown) ?? null) : null,
    };
  }
}

/** Items of a page. */
const PAGE_ROWS = 100;

/** The id of a row. */
const ROW_ID = /^[1-9]\d{0,17}$/;

/** @throws PortageError `validation_error` for a cursor that no page of the kind has, and for a page without a kind */
function toPage({ kind, limit, after }: AdditionsQuery): AdditionPage | undefined {
  if (kind === undefined && after !== undefined)
    throw buildQueryError('after', 'after has no effect without kind. Send the kind of the previous page.');
  if (kind === undefined && limit !== undefined)
    throw buildQueryError('limit', 'limit has no effect without kind. Send the kind that is to be listed.');
  if (kind === undefined) return undefined;
  if (after !== undefined && kind !== 'historical_statements' && !ROW_ID.test(after))
    throw buildCursorError();
  return { kind, limit: limit ?? PAGE_ROWS, after };
}

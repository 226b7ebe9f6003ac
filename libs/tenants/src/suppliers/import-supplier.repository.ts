import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import {
  type AuditEntry,
  AuditRepository,
  byColumn,
  Database,
  insertUnlessTaken,
  PortageError,
  translateErrors,
} from '@portage/platform';
import { QueryFailedError, Repository } from 'typeorm';
import { ImportSupplierEntity } from './import-supplier.entity';
import type { SupplierSettings } from './supplier-settings';

/** The settings of a supplier that an operator may change. */
type ImportSupplierSettings = SupplierSettings & Pick<ImportSupplierEntity, 'ruleSettings'>;

type SupplierChange = Partial<ImportSupplierSettings & Pick<ImportSupplierEntity, 'status'>>;

/** The document root of a supplier is taken: equal to that of a supplier, or nested with that of another organisation. */
export class DocumentRootTaken extends Error {
  override readonly name = 'DocumentRootTaken';
}

/** The constraint of the index and of the trigger that keep document roots apart. */
const ROOT_CONSTRAINT = 'import_supplier_document_root';

/** @throws PortageError `operation_refused` if there is no such supplier */
export function requireSupplier(
  code: string,
  supplier: ImportSupplierEntity | undefined,
): ImportSupplierEntity {
  if (supplier) return supplier;
  throw new PortageError('operation_refused', `There is no supplier ${code}. List them with: supplier list`);
}

/** Import suppliers. Each change is audited in its transaction. */
@Injectable()
export class ImportSupplierRepository {
  constructor(
    @InjectRepository(ImportSupplierEntity) private readonly suppliers: Repository<ImportSupplierEntity>,
    private readonly database: Database,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Creates a supplier that is Ongoing; undefined when its code is taken (codes are unique across organisations).
   *
   * @throws DocumentRootTaken
   */
  async create(
    organisationId: number,
    code: string,
    settings: ImportSupplierSettings,
    entry: AuditEntry,
  ): Promise<ImportSupplierEntity | undefined> {
    const isNew = await translateRootConflict(
      this.database.transaction(async (transaction) => {
        const suppliers = transaction.manager.withRepository(this.suppliers);
        const isInserted = await insertUnlessTaken(suppliers, {
          organisationId,
          code,
          status: 'Ongoing',
          ...settings,
        });
        if (!isInserted) {
          if (await suppliers.existsBy({ code })) return false;
          throw new DocumentRootTaken();
        }
        const details = byColumn(settings);
        await this.audit.record(transaction, { ...entry, supplier: code, details });
        return true;
      }),
    );
    return isNew ? this.findByCode(code) : undefined;
  }

  /** The supplier with this code, for operators. @throws PortageError `operation_refused` if there is none */
  async requireByCode(code: string): Promise<ImportSupplierEntity> {
    return requireSupplier(code, await this.findByCode(code));
  }

  /** The supplier with this code. */
  async findByCode(code: string): Promise<ImportSupplierEntity | undefined> {
    return (await translateErrors(this.suppliers.findOneBy({ code }))) ?? undefined;
  }

  /**
   * The organisation's supplier with this code. The index begins with the organisation, so that a supplier of another
   * organisation costs the same time as none.
   */
  async findOwned(organisationId: number, code: string): Promise<ImportSupplierEntity | undefined> {
    return (await translateErrors(this.suppliers.findOneBy({ organisationId, code }))) ?? undefined;
  }

  /** The first suppliers of an organisation, in the order of their codes. */
  async listOwned(organisationId: number, limit: number): Promise<ImportSupplierEntity[]> {
    return translateErrors(
      this.suppliers.find({ where: { organisationId }, order: { code: 'ASC' }, take: limit }),
    );
  }

  /**
   * Changes a supplier; undefined when there is none with this code. The audit entry has each changed setting with its
   * value before and after; there is none if nothing changed.
   *
   * @throws DocumentRootTaken
   */
  async update(
    code: string,
    change: SupplierChange,
    entry: AuditEntry,
  ): Promise<ImportSupplierEntity | undefined> {
    await translateRootConflict(
      this.database.transaction(async (transaction) => {
        const suppliers = transaction.manager.withRepository(this.suppliers);
        // Locked, so that the audit entry has the value that this change replaced.
        const before = await suppliers.findOne({
          where: { code },
          lock: { mode: 'for_no_key_update' },
        });
        const details = before ? byColumn(differences(before, change)) : {};
        if (Object.keys(details).length === 0) return;
        await suppliers
          .createQueryBuilder()
          .update()
          .set({ ...change, modifiedAt: () => 'now()' })
          .where({ code })
          .execute();
        await this.audit.record(transaction, { ...entry, supplier: code, details });
      }),
    );
    return this.findByCode(code);
  }
}

/** @throws DocumentRootTaken instead of the database's error */
async function translateRootConflict<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    const cause = error instanceof QueryFailedError ? (error.driverError as unknown) : error;
    if (cause instanceof Error && 'constraint' in cause && cause.constraint === ROOT_CONSTRAINT)
      throw new DocumentRootTaken();
    throw error;
  }
}

function differences(before: ImportSupplierEntity, change: SupplierChange): Record<string, unknown> {
  const names = Object.keys(change) as (keyof typeof change)[];
  return Object.fromEntries(
    names
      .filter((name) => !isDeepStrictEqual(before[name], change[name]))
      .map((name) => [name, { from: before[name], to: change[name] }]),
  );
}

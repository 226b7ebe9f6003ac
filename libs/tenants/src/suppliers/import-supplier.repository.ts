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

/** The constraint of the index and of the trigger that keep document roots apart. */
const ROOT_CONSTRAINT = 'import_supplier_document_root';

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
   * @throws PortageError `operation_refused` if its document root is taken
   */
  async create(
    organisationId: number,
    code: string,
    settings: ImportSupplierSettings,
    entry: AuditEntry,
  ): Promise<ImportSupplierEntity | undefined> {
    const isNew = await translateRootConflict(
      settings.documentRoot,
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
          throw buildRootTaken(settings.documentRoot);
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
    const supplier = await this.findByCode(code);
    if (supplier) return supplier;
    throw new PortageError(
      'operation_refused',
      `There is no supplier ${code}. List them with: supplier list`,
    );
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
   * Changes a supplier. The audit entry has each changed setting with its value before and after; there is none if nothing
   * changed.
   *
   * @throws PortageError `operation_refused` if there is no such supplier, or its document root is taken
   */
  async update(code: string, change: SupplierChange, entry: AuditEntry): Promise<ImportSupplierEntity> {
    await translateRootConflict(
      change.documentRoot,
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
    return this.requireByCode(code);
  }
}

/** @throws PortageError `operation_refused` instead of the database's error */
async function translateRootConflict<Result>(
  root: string | undefined,
  work: Promise<Result>,
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    const cause = error instanceof QueryFailedError ? (error.driverError as unknown) : error;
    if (cause instanceof Error && 'constraint' in cause && cause.constraint === ROOT_CONSTRAINT)
      throw buildRootTaken(root);
    throw error;
  }
}

/** A root is taken that equals that of a supplier, or is nested with that of another organisation. */
function buildRootTaken(root: string | undefined): PortageError {
  return new PortageError(
    'operation_refused',
    `The document root ${root} is the folder of another supplier, or is inside or above a folder of another ` +
      'organisation. Choose another folder with --document-root. List the folders with: supplier list',
  );
}

function differences(before: ImportSupplierEntity, change: SupplierChange): Record<string, unknown> {
  const names = Object.keys(change) as (keyof typeof change)[];
  return Object.fromEntries(
    names
      .filter((name) => !isDeepStrictEqual(before[name], change[name]))
      .map((name) => [name, { from: before[name], to: change[name] }]),
  );
}

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '@portage/testing';
import { Client } from 'pg';
import type { Tenant } from './tenant';

/** A kind of request whose latency is measured. */
export type RequestName = keyof Victim['requests'];

const POLL_MS = 5;
/** A victim that waits longer than this is starved, whatever its latency would be. */
const TIMEOUT_MS = 30_000;
/** Work of an attack that has not ended after this would slow what is measured next. */
const IDLE_TIMEOUT_MS = 10 * 60_000;

const NUMBER = 'V-0';

/** The rows of the victim, so that its polls cost the same however many rows of others there are. */
interface Ids {
  account: string;
  supplier: number;
}

/** A supplier that sends one request at a time, and expects each to succeed. */
export class Victim {
  private count = 0;

  private constructor(
    private readonly tenant: Tenant,
    private readonly database: Client,
    private readonly ids: Ids,
  ) {}

  static async start(tenant: Tenant): Promise<Victim> {
    await tenant.importAccounts([NUMBER]);
    const database = new Client({ connectionString: tenant.databaseUrl });
    await database.connect();
    const { rows } = await database.query<Ids>(
      'SELECT id AS account, supplier_id AS supplier FROM account WHERE external_account_number = $1',
      [NUMBER],
    );
    return new Victim(tenant, database, rows[0]!);
  }

  async stop(): Promise<void> {
    await this.database.end();
  }

  readonly requests = {
    'status read': async () =>
      this.expect(200, this.tenant.get(`/v2/data-import/accounts/${this.tenant.supplier}/${NUMBER}/`)),
    'list page': async () =>
      this.expect(
        200,
        this.tenant.get(`/v1/data-import/all-account-import-processes/${this.tenant.supplier}/?limit=10`),
      ),
    validate: async () =>
      this.expect(
        200,
        this.tenant.post('/v2/data-import/accounts/validate/', this.tenant.account(this.newNumber())),
      ),
    'account posted': async () =>
      this.expect(201, this.tenant.schedule(this.tenant.account(this.newNumber()))),
    'account imported': async () => {
      const number = this.newNumber();
      await this.expect(201, this.tenant.schedule(this.tenant.account(number)));
      await this.poll(
        'SELECT 1 FROM account WHERE supplier_id = $1 AND external_account_number = $2',
        this.ids.supplier,
        number,
      );
    },
    'note posted': async () =>
      this.expect(
        201,
        this.tenant.post('/v1/data-import/notes/create/', {
          ...this.account,
          notes: [{ body: `Note ${this.count++}` }],
        }),
      ),
    'document inspected': async () => {
      const path = `${this.newNumber()}.pdf`;
      this.upload(path);
      await this.expect(
        201,
        this.tenant.post('/v1/data-import/notes/create/', {
          ...this.account,
          notes: [{ document_paths: [{ document_path: path }] }],
        }),
      );
      await this.poll(
        `SELECT 1 FROM document WHERE account_id = $1 AND path = $2 AND state = 'STORED'`,
        this.ids.account,
        path,
      );
    },
    'transaction added': async () =>
      this.expect(
        201,
        this.tenant.post('/v1/data-import/transactions/create/', {
          ...this.account,
          transactions: [payment(`P-${this.count++}`)],
        }),
      ),
    'payment instruction': async () =>
      this.expect(
        201,
        this.tenant.post('/v1/data-import/payment-instruction/create/', {
          ...this.account,
          // The zero distinguishes it from the references of the attacker: one that another has is refused.
          type: 'CARD',
          vendor: 'STRIPE',
          reference: `pm_sandboxVisa0${this.count++}`,
        }),
      ),
  };

  /**
   * Waits until the service has ended the work of an attack.
   *
   * @throws Error after {@link IDLE_TIMEOUT_MS}
   */
  async waitUntilIdle(): Promise<void> {
    const deadline = performance.now() + IDLE_TIMEOUT_MS;
    for (;;) {
      const { rowCount } = await this.database.query(
        `SELECT 1 FROM import_process WHERE status IN ('PENDING', 'IN_PROGRESS')
         UNION ALL SELECT 1 FROM account_request WHERE status = 'PENDING'
         UNION ALL SELECT 1 FROM submission_addition WHERE status IN ('PENDING', 'IN_PROGRESS') LIMIT 1`,
      );
      if (rowCount === 0) return;
      if (performance.now() > deadline)
        throw new Error(`The service was busy for ${IDLE_TIMEOUT_MS} ms more.`);
      await sleep(20 * POLL_MS);
    }
  }

  private get account() {
    return { import_supplier: this.tenant.supplier, external_account_number: NUMBER };
  }

  private newNumber(): string {
    return `V-${++this.count}`;
  }

  private upload(path: string): void {
    const folder = join(this.tenant.directory, 'documents', 'victim');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, path), '%PDF-1.4\n1 0 obj\nendobj\ntrailer\nstartxref\n0\n%%EOF\n');
  }

  private async expect(status: number, answered: Promise<Answer>): Promise<void> {
    const answer = await answered;
    if (answer.status !== status) throw new Error(`The victim got ${answer.status}: ${answer.text}`);
  }

  private async poll(sql: string, id: string | number, value: string): Promise<void> {
    const deadline = performance.now() + TIMEOUT_MS;
    while ((await this.database.query(sql, [id, value])).rowCount === 0) {
      if (performance.now() > deadline) throw new Error(`The victim waited ${TIMEOUT_MS} ms for ${value}.`);
      await sleep(POLL_MS);
    }
  }
}

/** A valid transaction. */
export function payment(id: string): object {
  return { transaction_id: id, transaction_date: '2024-06-15', type: 'PAYMENT', amount: 10 };
}

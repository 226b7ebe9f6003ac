import { randomBytes } from 'node:crypto';
import { logIn, OPERATOR_PASSWORD, SharedPortage, storeOperator } from '@portage/testing';
import { type Browser, chromium, type Page } from 'playwright-core';
import { ConsoleBrowser, type OpenOptions } from './console-browser';

export type Role = 'viewer' | 'operator' | 'admin';

const ROLES: readonly Role[] = ['viewer', 'operator', 'admin'];

/**
 * What the tests of one file use: a tenant of the Portage and the browser that all files share, and an operator of each
 * role. Members can be read in tests and in `beforeAll`.
 */
class ConsoleSuite {
  private tenant: SharedPortage | undefined;
  private browser: Browser | undefined;
  private readonly id = randomBytes(4).toString('hex');
  private readonly opened: ConsoleBrowser[] = [];
  /** The sessions of the windows that did not sign in by themselves, one for each role. */
  private readonly sessions = new Map<Role, Promise<string>>();

  get portage(): SharedPortage {
    if (!this.tenant) throw new Error('The suite has not started.');
    return this.tenant;
  }

  /** The code of the supplier of this file. */
  get code(): string {
    return this.portage.supplier;
  }

  /** The name of the operator with this role. */
  nameOf(role: Role): string {
    return `${role}-${this.id}`;
  }

  /** What the operator of the role signs in with. */
  credentials(role: Role): { name: string; password: string } {
    return { name: this.nameOf(role), password: OPERATOR_PASSWORD };
  }

  /** Opens a window without a session. It is closed after the test, which has to account for its errors. */
  async open(options: OpenOptions = {}): Promise<ConsoleBrowser> {
    const console = await ConsoleBrowser.open(this.browser!, this.portage.baseUrl, options);
    this.opened.push(console);
    return console;
  }

  /** Opens an empty window with the session of the role, which all windows of the file share. */
  async openAs(role: Role, options: OpenOptions = {}): Promise<ConsoleBrowser> {
    const session = this.sessions.get(role) ?? this.beginSession(role);
    this.sessions.set(role, session);
    const console = await this.open(options);
    await console.useSession(await session);
    return console;
  }

  /** Opens a window and signs in through its page, for tests that end the session. */
  async signInAs(role: Role, options: OpenOptions = {}): Promise<ConsoleBrowser> {
    const console = await this.open(options);
    await console.signIn(this.credentials(role));
    return console;
  }

  private async beginSession(role: Role): Promise<string> {
    return (await logIn(this.portage, this.nameOf(role))).headers.cookie;
  }

  /** The statuses of the accounts of this file, by their numbers. */
  async statuses(): Promise<Record<string, string>> {
    const rows = await this.portage.sql<{ number: string; status: string }>(
      `SELECT external_account_number AS number, status FROM import_process
       WHERE supplier_id = (SELECT id FROM import_supplier WHERE code = $1) ORDER BY 1`,
      [this.code],
    );
    return Object.fromEntries(rows.map(({ number, status }) => [number, status]));
  }

  /** Sends a change to the API with the session of a page, and returns its status and the code of a refusal. */
  async request(page: Page, method: string, path: string, body: object = {}): Promise<[number, string?]> {
    return page.evaluate(
      async ([verb, url, text]) => {
        const headers = { 'Content-Type': 'application/json' };
        const answer = await fetch(`/operator/v1${url}`, { method: verb, headers, body: text });
        if (answer.ok) return [answer.status];
        return [answer.status, ((await answer.json()) as { code: string }).code];
      },
      [method, path, JSON.stringify(body)] as const,
    );
  }

  /** The actions of an operator of this file in the audit, the oldest first. */
  async audited(role: Role): Promise<string[]> {
    const rows = await this.portage.sql<{ action: string }>(
      'SELECT action FROM audit_entry WHERE actor = $1 ORDER BY id',
      [`operator:${this.nameOf(role)}`],
    );
    return rows.map(({ action }) => action);
  }

  async start(endpoint: string): Promise<void> {
    [this.tenant, this.browser] = await Promise.all([
      SharedPortage.join('console'),
      chromium.connect(endpoint),
    ]);
    for (const role of ROLES) await storeOperator(this.tenant, role, this.nameOf(role));
  }

  async closeWindows(): Promise<void> {
    await Promise.all(this.opened.splice(0).map(async (console) => console.close()));
  }

  async stop(): Promise<void> {
    await this.browser?.close();
    await this.tenant?.leave();
  }
}

/** Defines tests of the console in a browser. They are skipped if no Chromium is installed. */
export function describeConsole(title: string, define: (suite: ConsoleSuite) => void): void {
  const endpoint = process.env['PORTAGE_TEST_BROWSER'];
  (endpoint ? describe : describe.skip)(`the console: ${title}`, () => {
    const suite = new ConsoleSuite();
    beforeAll(async () => suite.start(endpoint!));
    afterEach(async () => suite.closeWindows());
    afterAll(async () => suite.stop());
    define(suite);
  });
}

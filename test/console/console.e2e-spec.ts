import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import {
  account,
  findChromium,
  OPERATOR_PASSWORD,
  REPOSITORY,
  storeOperator,
  TestPortage,
} from '@portage/testing';
import { ConsoleBrowser } from './console-browser';

const program = findChromium();
if (!program)
  process.stderr.write('SKIPPED: the console in a browser, because no chromium is on the PATH.\n');

type Role = 'viewer' | 'operator' | 'admin';

/** The operator of each role, with the same password. */
const signInAs = (role: Role) => ({ name: `the.${role}`, password: OPERATOR_PASSWORD });

/** The pages that need no object of their own, with their first heading. */
const PAGES: readonly (readonly [path: string, heading: string])[] = [
  ['/', 'Overview'],
  ['/suppliers', 'Suppliers'],
  ['/suppliers/LEGACY', 'LEGACY'],
  ['/suppliers/LEGACY/processes', 'LEGACY'],
  ['/suppliers/LEGACY/submissions', 'LEGACY'],
  ['/suppliers/LEGACY/settings', 'LEGACY'],
  ['/submissions', 'Submissions'],
  ['/queues', 'Queues and workers'],
  ['/vendors', 'Vendors'],
  ['/webhooks', 'Webhooks'],
  ['/audit', 'Audit'],
  ['/keys', 'Organisations and keys'],
  ['/operators', 'Operators'],
  ['/account', 'My account'],
];

(program ? describe : describe.skip)('The console', () => {
  let portage: TestPortage;
  let browser: Browser;
  const opened: ConsoleBrowser[] = [];

  /** A browser of its own, whose errors the test that opened it has to account for. */
  const open = async (options: Parameters<typeof ConsoleBrowser.open>[2] = {}): Promise<ConsoleBrowser> => {
    const console = await ConsoleBrowser.open(browser, portage.baseUrl, options);
    opened.push(console);
    return console;
  };
  const openAs = async (
    role: Role,
    options: Parameters<typeof ConsoleBrowser.open>[2] = {},
  ): Promise<ConsoleBrowser> => {
    const console = await open(options);
    await console.signIn(signInAs(role));
    return console;
  };

  beforeAll(async () => {
    [portage, browser] = await Promise.all([
      TestPortage.start({ backend: 'postgres', workers: 1 }),
      ConsoleBrowser.launch(),
    ]);
    for (const role of ['viewer', 'operator', 'admin'] as const)
      await storeOperator(portage, role, `the.${role}`);
    expect((await portage.schedule(account('N-1'))).status).toBe(201);
    await portage.waitFor('PROCESSED', 1);
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map(async (console) => console.close()));
  });
  afterAll(async () => {
    await browser.close();
    await portage.stop();
  });

  describe('as files', () => {
    const get = async (path: string, headers: Record<string, string> = {}) =>
      fetch(`${portage.baseUrl}${path}`, { redirect: 'manual', headers });

    it('serves its page at every address below /console/, never cached, under a policy without anything inline', async () => {
      for (const path of ['/console/', '/console/suppliers/A%2FB/processes?status=ERRORED']) {
        const page = await get(path);
        expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
        expect(page.headers.get('cache-control')).toBe('no-store');
        expect(page.headers.get('x-content-type-options')).toBe('nosniff');
        const policy = page.headers.get('content-security-policy')!;
        expect(policy).toContain("default-src 'none'");
        expect(policy).toContain("frame-ancestors 'none'");
        expect(policy).not.toContain('unsafe');
        expect(await page.text()).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/i);
      }
      const redirect = await get('/console?a=b');
      expect([redirect.status, redirect.headers.get('location')]).toEqual([308, '/console/?a=b']);
    });

    it('lets browsers keep files whose names have a hash for ever, compressed if they accept that', async () => {
      const names = readdirSync(join(REPOSITORY, 'dist', 'console', 'assets'));
      expect(names.length).toBeGreaterThan(3);
      for (const name of names) {
        const file = await get(`/console/assets/${name}`, { 'accept-encoding': 'gzip' });
        expect([file.status, file.headers.get('cache-control')]).toEqual([
          200,
          'public, max-age=31536000, immutable',
        ]);
        expect(file.headers.get('content-encoding')).toBe(name.endsWith('.woff2') ? null : 'gzip');
        expect(name).toMatch(/-[\w-]{8}\.\w+$/);
      }
      const missing = await get('/console/assets/index-00000000.js');
      expect([missing.status, missing.headers.get('cache-control')]).toEqual([404, 'no-store']);
      expect((await get('/console/assets/..%2F..%2Fopenapi.json')).status).toBe(404);
    });
  });

  describe('signing in', () => {
    it('asks for a password instead of the one-time password, then goes to the page that was wanted', async () => {
      const name = 'newcomer';
      const { one_time_password: oneTimePassword } = (await portage.operator(
        ...['operator', 'create', name, '--role', 'viewer'],
      )) as { one_time_password: string };
      const password = 'a password of my own';
      const console = await open();
      const { page } = console;
      await console.goto('/suppliers/LEGACY/processes?status=PROCESSED');
      await console.waitForHeading('Sign in to Portage');
      await console.fillLogin(name, 'wrong password');
      await page.getByRole('alert').waitFor();
      await console.fillLogin(name, oneTimePassword);
      await console.waitForHeading('Choose a password');
      await page.getByLabel('One-time password').fill(oneTimePassword);
      await page.getByLabel('New password', { exact: true }).fill(password);
      await page.getByLabel('New password again').fill(password);
      await page.getByRole('button', { name: 'Change password' }).click();
      await console.waitForHeading('LEGACY');
      expect(new URL(page.url()).search).toBe('?status=PROCESSED');
      // The browser reports the two refusals: without a session, and of the wrong password.
      expect(console.errors.filter((error) => !error.includes('401'))).toEqual([]);
    });

    it('goes to the login when the session has ended, and back to the same page', async () => {
      const console = await openAs('viewer');
      await console.goto('/audit?action=supplier.create');
      await console.waitForHeading('Audit');
      await portage.sql('DELETE FROM operator_session');
      await console.page.getByRole('link', { name: 'Suppliers', exact: true }).click();
      await console.page.getByText('Your session has ended').waitFor();
      await console.fillLogin('the.viewer', OPERATOR_PASSWORD);
      await console.waitForHeading('Suppliers');
    });

    it('ends the session at the API when the operator signs out', async () => {
      const console = await openAs('viewer');
      const [session] = await portage.sql<{ count: number }>(
        'SELECT count(*)::int AS count FROM operator_session',
      );
      await console.page.getByRole('button', { name: 'Sign out' }).click();
      await console.waitForHeading('Sign in to Portage');
      const [after] = await portage.sql<{ count: number }>(
        'SELECT count(*)::int AS count FROM operator_session',
      );
      expect(after!.count).toBe(session!.count - 1);
    });

    it('shows the secret of a new authenticator, and refuses a wrong code', async () => {
      const console = await openAs('operator');
      await console.goto('/account');
      await console.page.getByRole('button', { name: 'Set up' }).click();
      await console.page.getByAltText('QR code of the secret, for the authenticator app').waitFor();
      await console.page.getByLabel('Code that the app shows').fill('000000');
      await console.page.getByRole('button', { name: 'Confirm' }).click();
      await console.page.getByRole('alert').waitFor();
    });
  });

  describe('in both colour schemes', () => {
    it.each(['light', 'dark'] as const)(
      'has no violation of accessibility rules, no error and no request to other hosts on any page (%s)',
      async (scheme) => {
        const console = await open({ scheme });
        await console.goto('/login');
        await console.waitForHeading('Sign in to Portage');
        const violations = [...(await console.accessibilityViolations())];
        await console.signIn(signInAs('admin'));
        for (const [path, heading] of PAGES) {
          await console.goto(path);
          await console.waitForHeading(heading);
          await console.settle();
          violations.push(...(await console.accessibilityViolations()).map((one) => `${path} ${one}`));
        }
        expect(violations).toEqual([]);
        expect(console.errors.filter((error) => !error.includes('/operator/v1/session'))).toEqual([]);
        expect([...console.origins]).toEqual([portage.baseUrl]);
      },
      120_000,
    );
  });

  describe('by keyboard', () => {
    it('skips the navigation, opens a dialog, keeps the focus in it and gives it back', async () => {
      const console = await openAs('admin');
      const { page } = console;
      await console.goto('/operators');
      await console.waitForHeading('Operators');
      await page.keyboard.press('Tab');
      expect(await page.locator(':focus').innerText()).toBe('Skip to content');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      expect(await page.locator(':focus').innerText()).toBe('Create operator');
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Create an operator' });
      await dialog.waitFor();
      for (let stop = 0; stop < 8; stop += 1) {
        await page.keyboard.press('Tab');
        expect(await dialog.locator(':focus').count()).toBe(1);
      }
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await page.waitForFunction(`document.activeElement?.textContent.includes('Create operator')`);
    });
  });

  describe('operators', () => {
    it('are created, given a role, disabled and enabled by an admin', async () => {
      const console = await openAs('admin');
      const { page } = console;
      await console.goto('/operators');
      await page.getByRole('button', { name: 'Create operator' }).click();
      await page.getByRole('dialog').getByLabel('Name').fill('ada');
      await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
      await page.getByText('Shown once').waitFor();
      await page.getByRole('button', { name: 'Done' }).click();
      const row = page.getByRole('row', { name: /^ada/ });
      await row.getByRole('button', { name: 'Set role' }).click();
      await page.getByLabel('Role', { exact: true }).selectOption('operator');
      await page.getByRole('dialog').getByRole('button', { name: 'Set role' }).click();
      await page.getByText('ada is operator now.').waitFor();
      await row.getByRole('button', { name: 'Disable' }).click();
      await page.getByLabel('Type ada to confirm').fill('ada');
      await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
      await row.getByText('Disabled').waitFor();
      const [stored] = await portage.sql('SELECT role, is_disabled FROM operator WHERE name = $1', ['ada']);
      expect(stored).toEqual({ role: 'operator', is_disabled: true });
    });

    it('without the role see no buttons of an admin, and the API refuses their requests', async () => {
      const console = await openAs('viewer');
      const { page } = console;
      await console.goto('/keys');
      await console.waitForHeading('Organisations and keys');
      await console.settle();
      for (const name of ['Create organisation', 'Issue key', 'Revoke'])
        expect(await page.getByRole('button', { name }).count()).toBe(0);
      expect(await page.getByRole('link', { name: 'Operators' }).count()).toBe(0);
      const refused = await page.evaluate(async () => {
        const session = (await (await fetch('/operator/v1/session')).json()) as { csrf_token: string };
        const headers = { 'X-CSRF-Token': session.csrf_token, 'Content-Type': 'application/json' };
        const send = async (path: string, body: object) =>
          (await fetch(`/operator/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) }))
            .status;
        return [
          await send('organisations', { name: 'X' }),
          await send('suppliers/LEGACY/status', { status: 'Paused' }),
        ];
      });
      expect(refused).toEqual([403, 403]);
    });
  });

  describe('accounts and suppliers', () => {
    it('a supplier is paused and resumed, and the overview of another operator shows it without a reload', async () => {
      const [acting, watching] = await Promise.all([openAs('operator'), openAs('viewer')]);
      await watching.page.getByText('Live', { exact: true }).waitFor();
      await acting.goto('/suppliers/LEGACY');
      const { page } = acting;
      for (const [action, status] of [
        ['Pause', 'Paused'],
        ['Resume', 'Ongoing'],
      ] as const) {
        await page.getByRole('button', { name: action, exact: true }).click();
        await page
          .getByRole('dialog')
          .getByRole('button', { name: `${action} supplier` })
          .click();
        await page.getByText(`LEGACY is ${status}.`).waitFor();
        const [stored] = await portage.sql('SELECT status FROM import_supplier WHERE code = $1', ['LEGACY']);
        expect(stored).toEqual({ status });
        await watching.page.locator('.supplier-row').getByText(status).waitFor();
      }
      const entries = await portage.sql('SELECT actor FROM audit_entry WHERE action = $1', [
        'supplier.set-status',
      ]);
      expect(entries).toEqual([{ actor: 'operator:the.operator' }, { actor: 'operator:the.operator' }]);
    });

    it('accounts are cancelled after a preview, and after the code of the supplier was typed', async () => {
      const window = { schedule_window_start: new Date(Date.now() + 3_600_000).toISOString() };
      for (const number of ['W-1', 'W-2'])
        expect((await portage.schedule({ payload: account(number), task_params: window })).status).toBe(201);
      const console = await openAs('operator');
      const { page } = console;
      await console.goto('/suppliers/LEGACY/processes?status=PENDING');
      await page.getByRole('link', { name: 'W-1' }).waitFor();
      await page.getByRole('button', { name: 'Change accounts' }).click();
      const dialog = page.getByRole('dialog', { name: 'Change accounts' });
      await dialog.getByRole('button', { name: 'Preview' }).click();
      await dialog.getByText('2 accounts can be changed now.').waitFor();
      const run = dialog.getByRole('button', { name: 'Cancel 2' });
      expect(await run.isDisabled()).toBe(true);
      await dialog.getByLabel('Type LEGACY to confirm').fill('LEGACY');
      await run.click();
      await dialog.getByText('2 accounts changed.').waitFor();
      const cancelled = await portage.sql(
        "SELECT external_account_number AS number FROM import_process WHERE status = 'CANCELLED' ORDER BY 1",
      );
      expect(cancelled).toEqual([{ number: 'W-1' }, { number: 'W-2' }]);
      await dialog.getByRole('button', { name: 'Done' }).click();
      await console.goto('/suppliers/LEGACY/processes?text=W-');
      await page.getByLabel('Select W-2').check();
      expect(await page.getByText('1 selected').count()).toBe(1);
    });

    it('an account shows what happened to it, and its payload only after a click that the audit records', async () => {
      const console = await openAs('operator');
      const { page } = console;
      await console.goto('/suppliers/LEGACY/processes');
      await page.getByRole('link', { name: 'N-1' }).click();
      await console.waitForHeading('N-1');
      await page.getByRole('heading', { name: 'Timeline' }).waitFor();
      await page.locator('.timeline').getByText('Processed').waitFor();
      expect(await page.locator('pre.payload').count()).toBe(0);
      await page.getByRole('button', { name: 'Show payload' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Show payload' }).click();
      await page.locator('pre.payload').getByText('"external_account_number": "N-1"').waitFor();
      const read = await portage.sql('SELECT actor FROM audit_entry WHERE action = $1', [
        'process.read-payload',
      ]);
      expect(read).toEqual([{ actor: 'operator:the.operator' }]);
    });

    it('a key is issued and works; a queue is paused and resumed', async () => {
      const console = await openAs('admin');
      const { page } = console;
      await console.goto('/keys');
      await page.getByRole('button', { name: 'Issue key' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Issue key' }).click();
      const key = await page.locator('.secret code').innerText();
      await page.getByRole('button', { name: 'Done' }).click();
      expect(await portage.obtainToken(key)).toEqual(expect.any(String));
      await console.goto('/queues');
      const row = page.getByRole('row', { name: /^transactions/ });
      await row.getByRole('button', { name: 'Pause' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Pause queue' }).click();
      await row.getByText('Paused').waitFor();
      await row.getByRole('button', { name: 'Resume' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Resume queue' }).click();
      await row.getByText('Running').waitFor();
      const actions = await portage.sql('SELECT action FROM audit_entry WHERE actor = $1 ORDER BY id', [
        'operator:the.admin',
      ]);
      expect(actions.map((entry) => (entry as { action: string }).action)).toEqual(
        expect.arrayContaining(['api-key.issue', 'queue.pause', 'queue.resume']),
      );
    });
  });
});

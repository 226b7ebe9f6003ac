import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processId, sendBook, storeErrored } from '@portage/testing';
import type { Page } from 'playwright-core';
import { COLOR_RULES } from './console-browser';
import { describeConsole } from './console-suite';
import { EXCESS_WIDTH, MISSED_CONTROLS, NUMBER_CONTROLS, UNSEEN_FOCUS, WRAPPED_LABELS } from './in-page';

describeConsole('layout', (suite) => {
  /** Every page with real data, by its path and its first heading. */
  let pages: (readonly [path: string, heading: string])[];

  beforeAll(async () => {
    const { portage, code } = suite;
    await portage.schedule(portage.account('N-1'));
    await storeErrored(portage, ['BAD-1'], {
      code: 'invalid_email',
      detail: 'customers.0.email: "maeve@secret.example" is not an e-mail address.',
      path: 'customers.0.email',
      payload: portage.account('BAD-1', { customers: [{ email: 'maeve@secret.example' }] }),
    });
    const refused = portage.account('BOOK-2', { customers: [{ family_name: 'Aldous', landline: '1' }] });
    const book = await sendBook(portage, [portage.account('BOOK-1'), refused], {
      reference: 'a book',
      expected: { accounts: 2 },
    });
    const lists = join(portage.directory, `lists-${code}.json`);
    writeFileSync(lists, JSON.stringify({ twin_element_meters: ['T-1'] }));
    await portage.operator('reference', 'import', lists);
    const { body: endpoint } = await portage.post('/v2/data-import/webhook-endpoints/', {
      import_supplier: code,
      url: 'https://hooks.example.com/portage',
    });
    await portage.waitForAccount('N-1', 'PROCESSED');
    await portage.waitForAccount('BOOK-1', 'PROCESSED');
    const processes = `/suppliers/${code}/processes`;
    pages = [
      ['/', 'Overview'],
      ['/accounts?number=N-1', 'Find an account'],
      ['/suppliers', 'Suppliers'],
      [`/suppliers/${code}`, code],
      [processes, code],
      [`${processes}/${await processId(portage, 'N-1')}`, 'N-1'],
      [`${processes}/${await processId(portage, 'BAD-1')}`, 'BAD-1'],
      [`/suppliers/${code}/submissions`, code],
      [`/suppliers/${code}/refused-lines`, code],
      [`/suppliers/${code}/payment-instructions`, code],
      [`/suppliers/${code}/documents`, code],
      [`/suppliers/${code}/settings`, code],
      [`/submissions?supplier=${code}`, 'Submissions'],
      [`/submissions/${book}`, 'a book'],
      ['/queues', 'Queues and workers'],
      [`/webhooks?supplier=${code}`, 'Webhooks'],
      [`/webhooks/${endpoint.id}`, `Endpoint ${endpoint.id}`],
      ['/rules?list=twin_element_meters', 'Account rules'],
      [`/audit?supplier=${code}`, 'Audit'],
      [`/keys?organisation=${encodeURIComponent(portage.organisation)}`, 'Organisations and keys'],
      ['/operators', 'Operators'],
      ['/account', 'My account'],
    ];
  });

  it('an address that does not exist keeps the navigation', async () => {
    const console = await suite.openAs('viewer');
    const { page } = console;
    await console.goto('/suppliers/none/such/page');
    await page.getByText('There is no such page').waitFor();
    await page.getByRole('link', { name: 'Queues and workers' }).click();
    await page.getByRole('heading', { name: 'Queues and workers' }).waitFor();
  });

  describe('every page', () => {
    const found = {
      light: [] as string[],
      dark: [] as string[],
      wide: [] as string[],
      missed: [] as string[],
      errors: [] as string[],
      origins: [] as string[],
    };

    // Each page is loaded once for all cases.
    beforeAll(async () => {
      const console = await suite.open();
      await console.goto('/login');
      await console.waitForHeading('Sign in to Portage');
      found.light.push(...(await console.accessibilityViolations()));
      await console.setScheme('dark');
      found.dark.push(...(await console.accessibilityViolations(COLOR_RULES)));
      await console.setScheme('light');
      await console.signIn(suite.credentials('admin'));
      const { page } = console;
      const size = page.viewportSize()!;
      for (const [path, heading] of pages) {
        const on = (one: string) => `${path} ${one}`;
        await console.goto(path);
        await console.waitForHeading(heading);
        await console.settle();
        found.light.push(...(await console.accessibilityViolations()).map(on));
        await console.setScheme('dark');
        found.dark.push(...(await console.accessibilityViolations(COLOR_RULES)).map(on));
        await console.setScheme('light');
        // A window of 1,280 by 800 pixels at 200 %.
        await page.setViewportSize({ width: 640, height: 400 });
        const excess = await page.evaluate<number>(EXCESS_WIDTH);
        if (excess > 0) found.wide.push(on(`by ${excess}`));
        await page.setViewportSize(size);
        found.missed.push(...(await walk(page)).map(on));
      }
      found.errors.push(...console.errors.filter((error) => !error.includes('/operator/v1/session')));
      found.origins.push(...console.origins);
    }, 900_000);

    it('has no violation of accessibility rules', () => {
      expect(found.light).toEqual([]);
    });

    it('has no violation of the rules about colours in the dark', () => {
      expect(found.dark).toEqual([]);
    });

    it('has no error and no request to other hosts', () => {
      expect(found.errors).toEqual([]);
      expect(found.origins).toEqual([suite.portage.baseUrl]);
    });

    it('needs no sideways scrolling at 200 %', () => {
      expect(found.wide).toEqual([]);
    });

    it('lets the keyboard reach every control, each with a visible focus', () => {
      expect(found.missed).toEqual([]);
    });
  });

  it('has no violation of accessibility rules in dialogs', async () => {
    const console = await suite.openAs('admin');
    const { page } = console;
    const violations: string[] = [];
    for (const [path, button] of [
      [`/suppliers/${suite.code}/processes?status=ERRORED`, 'Change accounts'],
      [`/suppliers/${suite.code}`, 'Complete'],
      ['/keys', 'Create supplier'],
      ['/operators', 'Create operator'],
      [`/webhooks?supplier=${suite.code}`, 'Create endpoint'],
      [`/suppliers/${suite.code}/documents`, 'Retry documents'],
      ['/rules', 'Import lists'],
      ['/rules', 'Set rule'],
    ] as const) {
      await console.goto(path);
      await page.getByRole('button', { name: button, exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      if (button === 'Change accounts') {
        await dialog.getByRole('button', { name: 'Preview' }).click();
        await dialog.getByText('can be changed now.').waitFor();
      }
      violations.push(...(await console.accessibilityViolations()).map((one) => `${path} ${one}`));
    }
    expect(violations).toEqual([]);
  });

  it.each([390, 320])(
    'shows the overview on a phone of %i pixels, with the navigation in a menu',
    async (width) => {
      const console = await suite.openAs('viewer', { width, height: 700 });
      const { page } = console;
      await console.goto('/');
      await page.locator('.supplier-row', { hasText: suite.code }).waitFor();
      expect(await page.evaluate<number>(EXCESS_WIDTH)).toBe(0);
      const suppliers = page.getByRole('link', { name: 'Suppliers', exact: true });
      expect(await suppliers.isVisible()).toBe(false);
      await page.getByRole('button', { name: 'Menu' }).click();
      await suppliers.click();
      await console.waitForHeading('Suppliers');
      expect(await suppliers.isVisible()).toBe(false);
    },
  );

  it('shows on a phone first what each row of a list is and how it is, without scrolling', async () => {
    const console = await suite.openAs('operator', { width: 390, height: 700 });
    const { page } = console;
    const beyond: string[] = [];
    for (const [path, column] of [
      ['/accounts?number=N-1', 'State'],
      ['/submissions', 'State'],
      ['/suppliers', 'Status'],
      [`/suppliers/${suite.code}/processes`, 'State'],
      [`/suppliers/${suite.code}/submissions`, 'State'],
      [`/suppliers/${suite.code}/refused-lines`, 'Errors'],
      [`/webhooks?supplier=${suite.code}`, 'State'],
      ['/queues', 'Waiting'],
    ] as const) {
      await console.goto(path);
      const box = await page.getByRole('columnheader', { name: column, exact: true }).first().boundingBox();
      if (box!.x + box!.width > 390) beyond.push(`${path}: ${column} ends at ${box!.x + box!.width}`);
      // Tables scroll in their own boxes.
      const excess = await page.evaluate<number>(EXCESS_WIDTH);
      if (excess > 0) beyond.push(`${path}: the page is ${excess} pixels too wide`);
    }
    expect(beyond).toEqual([]);
  });

  it.each([1_280, 1_024])('keeps each label of a filter on one line at %i pixels', async (width) => {
    const console = await suite.openAs('viewer', { width });
    for (const path of [
      `/suppliers/${suite.code}/processes`,
      `/suppliers/${suite.code}/refused-lines`,
      '/audit',
    ]) {
      await console.goto(path);
      await console.page.getByRole('search').waitFor();
      expect(await console.page.evaluate<string[]>(WRAPPED_LABELS)).toEqual([]);
    }
  });

  describe('by keyboard', () => {
    it('skips the navigation, opens a dialog, keeps the focus in it and gives it back', async () => {
      const console = await suite.openAs('admin');
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

    it('filters accounts, opens one and retries it', async () => {
      await storeErrored(suite.portage, ['KEYS-1'], { code: 'error', detail: 'Words.' });
      const console = await suite.openAs('operator');
      const { page } = console;
      await console.goto(`/suppliers/${suite.code}/processes`);
      await page.getByLabel('Account number begins with').focus();
      await page.keyboard.type('KEYS');
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: 'KEYS-1' }).focus();
      await page.keyboard.press('Enter');
      await console.waitForHeading('KEYS-1');
      await page.getByRole('button', { name: 'Retry', exact: true }).focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Preview' }).focus();
      await page.keyboard.press('Enter');
      await dialog.getByLabel(`Type ${suite.code} to confirm`).focus();
      await page.keyboard.type(suite.code);
      await page.keyboard.press('Enter');
      await dialog.getByText('Done. 1 account changed.').waitFor();
      await suite.portage.waitForAccount('KEYS-1', 'PROCESSED');
    });
  });
});

/**
 * Goes through the page with the Tab key, and describes the controls that it does not reach or whose focus is not
 * visible.
 */
async function walk(page: Page): Promise<string[]> {
  const controls = await page.evaluate<string[]>(NUMBER_CONTROLS);
  let left: string[] = [];
  // A field of date and time has a stop for each of its parts. When a row goes that has the focus, the walk begins again.
  for (const presses of [controls.length, controls.length + 30]) {
    for (let press = 0; press < presses; press += 1) await page.keyboard.press('Tab');
    // What other suites have mended meanwhile has left the overview.
    left = await page.evaluate<string[]>(MISSED_CONTROLS);
    if (left.length === 0) break;
  }
  const unseen = await page.evaluate<string[]>(UNSEEN_FOCUS);
  return [
    ...left.map((control) => `${controls[Number(control)]!} is not reached`),
    ...unseen.map((control) => `${controls[Number(control)]!} has no visible focus`),
  ];
}

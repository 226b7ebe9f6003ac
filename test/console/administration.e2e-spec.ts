import { describeConsole } from './console-suite';

describeConsole('administration', (suite) => {
  it('an organisation and its supplier are created, and the settings of the supplier changed', async () => {
    const organisation = `${suite.code} and Sons Ltd`;
    const code = `${suite.code}-NEW`;
    const console = await suite.openAs('admin');
    const { page } = console;
    const dialog = page.getByRole('dialog');
    await console.goto('/keys');
    await page.getByRole('button', { name: 'Create organisation' }).click();
    await dialog.getByLabel('Name').fill(suite.portage.organisation);
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    // The name is taken; the dialog stays open with the reason.
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Name').fill(organisation);
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText(`Organisation ${organisation} was created.`).waitFor();
    await page.getByRole('link', { name: organisation }).waitFor();

    await page.getByRole('button', { name: 'Create supplier' }).click();
    await dialog.getByLabel('Code').fill(code);
    await dialog.getByLabel('Organisation').selectOption(organisation);
    await dialog.getByLabel('Creation mode').selectOption('dry-run-first');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText(`Supplier ${code} was created.`).waitFor();
    await console.waitForHeading(code);

    const save = page.getByRole('button', { name: 'Save settings' });
    await page.getByText('Nothing is changed.').waitFor();
    expect(await save.isDisabled()).toBe(true);
    await page.getByLabel('Currency').fill('Taler');
    await save.click();
    await page.getByRole('alert').getByText('currency must be').waitFor();
    await page.getByLabel('Currency').fill('EUR');
    await page.getByLabel('Retain payload days').fill('30');
    await page.getByLabel('Verify documents').click();
    await page.getByText('3 settings are changed.').waitFor();
    await save.click();
    await page.getByText('The settings were saved.').waitFor();
    await page.getByText('Nothing is changed.').waitFor();
    const [stored] = await suite.portage.sql(
      `SELECT currency, retain_payload_days, creation_mode, name AS organisation FROM import_supplier supplier
       JOIN organisation ON organisation.id = organisation_id WHERE code = $1`,
      [code],
    );
    expect(stored).toEqual({
      currency: 'EUR',
      retain_payload_days: 30,
      creation_mode: 'dry-run-first',
      organisation,
    });
    expect(await suite.audited('admin')).toEqual([
      'operator.log-in',
      'organisation.create',
      'supplier.create',
      'supplier.set',
    ]);
  });

  it('a key is issued, shown once, works, and is refused after it was revoked', async () => {
    const { portage } = suite;
    const console = await suite.openAs('admin');
    const { page } = console;
    const dialog = page.getByRole('dialog');
    await console.goto(`/keys?organisation=${encodeURIComponent(portage.organisation)}`);
    await page.getByRole('button', { name: 'Issue key' }).click();
    await dialog.getByRole('button', { name: 'Issue key' }).click();
    const key = await page.locator('.secret code').innerText();
    expect(await portage.obtainToken(key)).toEqual(expect.any(String));
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await page.content()).not.toContain(key);

    const prefixes = await page.locator('tbody th code').allInnerTexts();
    const prefix = prefixes.find((one) => key.includes(one))!;
    const row = page.getByRole('row', { name: prefix });
    await row.getByRole('button', { name: 'Revoke' }).click();
    const revoke = dialog.getByRole('button', { name: 'Revoke key' });
    expect(await revoke.isDisabled()).toBe(true);
    await dialog.getByLabel(`Type ${prefix} to confirm`).fill(prefix);
    await revoke.click();
    await row.getByText('Revoked', { exact: true }).waitFor();
    await expect(portage.obtainToken(key)).rejects.toThrow();
  });

  it('an operator is created, given a role, reset, disabled and enabled', async () => {
    const name = `ada-${suite.code.toLowerCase()}`;
    const console = await suite.openAs('admin');
    const { page } = console;
    const dialog = page.getByRole('dialog');
    await console.goto('/operators');
    await page.getByRole('button', { name: 'Create operator' }).click();
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('Shown once').waitFor();
    const first = await page.locator('.secret code').innerText();
    await page.getByRole('button', { name: 'Done' }).click();
    const row = page.getByRole('row', { name: new RegExp(`^${name}`) });
    await row.getByText('One-time password').waitFor();
    await row.getByRole('button', { name: 'Set role' }).click();
    await page.getByLabel('Role', { exact: true }).selectOption('operator');
    await dialog.getByRole('button', { name: 'Set role' }).click();
    await page.getByText(`${name} is operator now.`).waitFor();
    await row.getByRole('button', { name: 'Reset password' }).click();
    await dialog.getByRole('button', { name: 'Reset password' }).click();
    await page.getByText('Shown once').waitFor();
    expect(await page.locator('.secret code').innerText()).not.toBe(first);
    await page.getByRole('button', { name: 'Done' }).click();
    await row.getByRole('button', { name: 'Disable' }).click();
    await dialog.getByLabel(`Type ${name} to confirm`).fill(name);
    await dialog.getByRole('button', { name: 'Disable' }).click();
    await row.getByText('Disabled').waitFor();
    const stored = async () =>
      suite.portage.sql('SELECT role, is_disabled FROM operator WHERE name = $1', [name]);
    expect(await stored()).toEqual([{ role: 'operator', is_disabled: true }]);
    await row.getByRole('button', { name: 'Enable' }).click();
    await dialog.getByRole('button', { name: 'Enable' }).click();
    await page.getByText(`${name} can sign in.`).waitFor();
    expect(await stored()).toEqual([{ role: 'operator', is_disabled: false }]);
  });

  it('a queue is paused and resumed', async () => {
    const console = await suite.openAs('operator');
    const { page } = console;
    await console.goto('/queues');
    // No suite of the console has jobs in it.
    const row = page.getByRole('row', { name: /^payment-instructions/ });
    await row.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('dialog').getByText('answered 503 until the queue is resumed').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Pause queue' }).click();
    await row.getByText('Paused').waitFor();
    await row.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Resume queue' }).click();
    await row.getByText('Running').waitFor();
    expect(await suite.audited('operator')).toEqual(['operator.log-in', 'queue.pause', 'queue.resume']);
  });

  it('reference lists are imported, read and removed, and a rule of the installation is set', async () => {
    const console = await suite.openAs('admin');
    const { page } = console;
    const dialog = page.getByRole('dialog');
    const importLists = async (text: string) => {
      await dialog.getByLabel('Lists').fill(text);
      await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    };
    await console.goto('/rules');
    await page.getByRole('button', { name: 'Import lists' }).click();
    await importLists('metering agents');
    await dialog.getByText('This is not JSON.').waitFor();
    await importLists('{"metering_agents": [1]}');
    await dialog.getByText('metering_agents').first().waitFor();
    await importLists('{"metering_agents": ["AGENT-7"]}');
    await page.getByText('Imported: metering_agents.').waitFor();
    await page.getByRole('link', { name: 'metering_agents' }).click();
    await page.getByRole('region', { name: 'Entries of metering_agents' }).getByText('AGENT-7').waitFor();
    const row = page.getByRole('row', { name: /^metering_agents/ });
    await row.getByRole('button', { name: 'Remove' }).click();
    await dialog.getByLabel('Type metering_agents to confirm').fill('metering_agents');
    await dialog.getByRole('button', { name: 'Remove list' }).click();
    await row.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Set rule' }).click();
    await dialog.getByLabel('Setting').selectOption('payment_day_max');
    await dialog.getByLabel('Value').fill('0');
    await dialog.getByRole('button', { name: 'Set rule' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Value').fill('31');
    await dialog.getByRole('button', { name: 'Set rule' }).click();
    await page.getByText('Payment day max was set.').waitFor();
    expect((await suite.audited('admin')).slice(-3)).toEqual([
      'reference.import',
      'reference.remove',
      'instance.set',
    ]);
    // Two refusals, and nothing that the Content-Security-Policy forbids.
    expect(console.errors.filter((error) => !error.includes('400'))).toEqual([]);
  });
});

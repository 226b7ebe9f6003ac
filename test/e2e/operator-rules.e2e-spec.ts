import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { account, importAndReadBack, Installation, signIn, until } from '@portage/testing';

const EXAMPLES = join(__dirname, '..', '..', 'libs', 'account-schema', 'test');
const read = (path: string) => readFileSync(join(EXAMPLES, path), 'utf8');

interface FieldError {
  code: string;
  attr: string;
}

describe('reference lists and settings for account rules', () => {
  const portage = Installation.use({ backend: 'postgres' });

  const file = (content: unknown) => {
    const path = join(portage.directory, 'lists.json');
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };

  async function errorsOf(more: object): Promise<(readonly [string, string])[]> {
    const { status, body } = await portage.post(
      '/v2/data-import/accounts/validate/',
      account(undefined, more),
    );
    return status === 200 ? [] : body.errors.map(({ code, attr }: FieldError) => [code, attr]);
  }

  /** Waits until the API applies a change, of which the database notifies it. */
  async function eventually(more: object, expected: (readonly [string, string])[]): Promise<void> {
    let errors: (readonly [string, string])[] = [];
    await until(
      async () => {
        errors = await errorsOf(more);
        return JSON.stringify(errors) === JSON.stringify(expected);
      },
      () => `found ${JSON.stringify(errors)} instead of ${JSON.stringify(expected)}`,
    );
  }

  it('operators replace, read and remove lists and settings with the operator API too', async () => {
    const admin = await signIn(portage, 'admin');
    const { status, body } = await admin.post('/reference-lists', { operations_teams: ['East desk'] });
    expect([status, body.items]).toEqual([
      200,
      [{ list: 'operations_teams', entries: 1, imported_at: expect.stringMatching(/Z$/) }],
    ]);
    const refused = await admin.post('/reference-lists', { operations_teams: 'East desk' });
    expect([refused.status, refused.body.code]).toEqual([400, 'operation_refused']);
    await eventually({ operations_team_name: 'North desk' }, [
      ['operations_team_name_does_not_exist', 'operations_team_name'],
    ]);
    const list = '/reference-lists/operations_teams';
    expect((await admin.get(list)).body).toEqual({ list: 'operations_teams', entries: ['East desk'] });
    expect((await admin.change('DELETE', list)).status).toBe(204);
    expect((await admin.get(list)).status).toBe(404);
    expect((await admin.get('/reference-lists')).body).toEqual({ items: [] });
    await eventually({ operations_team_name: 'North desk' }, []);
    const before = (await admin.get('/instance-settings')).body;
    const set = await admin.change('PATCH', '/instance-settings', { payment_day_max: 27 });
    expect(set.body).toEqual({ ...before, payment_day_max: 27 });
    const wrong = await admin.change('PATCH', '/instance-settings', { payment_day_max: 32 });
    expect([wrong.status, wrong.body.code]).toEqual([400, 'operation_refused']);
    expect((await admin.change('PATCH', '/instance-settings', { payment_day_max: null })).body).toEqual(
      before,
    );
  });

  it('a reference list is used from its import until its removal', async () => {
    const team = { operations_team_name: 'North desk' };
    expect(await errorsOf(team)).toEqual([]);
    const imported = await portage.operator(
      'reference',
      'import',
      file({ operations_teams: ['South desk'], note: 1 }),
    );
    expect(imported).toEqual([{ list: 'operations_teams', entries: 1, imported_at: expect.any(String) }]);
    await eventually(team, [['operations_team_name_does_not_exist', 'operations_team_name']]);
    await portage.operator('reference', 'import', file({ operations_teams: ['South desk', 'North desk'] }));
    await eventually(team, []);
    expect(await portage.operator('reference', 'list')).toMatchObject([
      { list: 'operations_teams', entries: 2 },
    ]);
    expect(await portage.operator('reference', 'show', 'operations_teams')).toEqual([
      'South desk',
      'North desk',
    ]);
    await portage.operator('reference', 'remove', 'operations_teams');
    expect(await portage.operator('reference', 'list')).toEqual([]);
    await eventually({ operations_team_name: 'Nowhere' }, []);
  });

  it('a supplier reads the lists in force with its own key, and a refusal names the nearest codes', async () => {
    const { products } = JSON.parse(read('rules/reference-data.json')) as { products: object[] };
    const staff = ['desk@example.org'];
    await portage.operator('reference', 'import', file({ products, internal_email_addresses: staff }));
    const point = {
      supply_type: 'ELECTRICITY',
      identifier: '1000000000147',
      mpid: 'XSUP',
      supply_start_date: '2024-05-10',
      agreements: [{ tariff_code: 'e-vra', effective_from: '2024-05-10' }],
    };
    const address = { supply_address1: '4 Weir Cottages', supply_postcode: 'NN9 9ZZ' };
    const from = { customer_at_supply_address_from_date: '2024-05-10' };
    const energy = { supply_addresses: [{ ...address, ...from, meter_points: [point] }] };
    await eventually(energy, [
      ['tariff_code_not_found', 'supply_addresses.0.meter_points.0.agreements.0.tariff_code'],
    ]);
    const { body } = await portage.post('/v2/data-import/accounts/validate/', account(undefined, energy));
    const [named] = /"E-[^"]+"/.exec((body.errors[0].detail as string).replace('"e-vra"', '')) ?? [];
    expect(named).toBe('"E-VAR"');
    const { reference_data: lists } = (await portage.get('/v2/data-import/suppliers/LEGACY/')).body;
    expect(lists).toContainEqual({
      list: 'tariffs',
      supply_type: 'ELECTRICITY',
      count: expect.any(Number),
      codes: expect.arrayContaining(['E-VAR', 'E-FIX-21']),
    });
    expect(JSON.stringify(lists)).not.toContain('desk@example.org');
    for (const list of ['products', 'internal_email_addresses'])
      await portage.operator('reference', 'remove', list);
    await eventually(energy, []);
    expect((await portage.get('/v2/data-import/suppliers/LEGACY/')).body.reference_data).toEqual([]);
  });

  it('settings of the instance and of a supplier change the validation', async () => {
    const managed = { account_type: 'MANAGED' };
    expect(await errorsOf(managed)).toEqual([]);
    expect(await portage.operator('instance', 'set', 'allow_managed_accounts=false')).toMatchObject({
      allow_managed_accounts: false,
      main_ledger_code: 'MAIN',
    });
    await eventually(managed, [['managed_accounts_are_not_allowed', 'account_type']]);
    await portage.operator('instance', 'set', 'allow_managed_accounts=');
    await eventually(managed, []);

    const set = ['supplier', 'set', 'LEGACY', '--rule-setting'];
    const portfolio = { portfolio: { portfolio_references: [{ namespace: 'n', value: 'v' }] } };
    expect(await errorsOf(portfolio)).toEqual([]);
    expect(await portage.operator(...set, 'create_new_portfolios=true')).toMatchObject({
      rule_settings: { create_new_portfolios: true },
    });
    await eventually(portfolio, [['portfolio_references_provided', 'portfolio.portfolio_references']]);
    expect(await portage.operator(...set, 'create_new_portfolios=')).toMatchObject({ rule_settings: {} });
    expect((await portage.cli(...set, 'create_new_portfolios=perhaps')).stderr).toContain('true or false');
    expect((await portage.cli(...set, 'colour=green')).stderr).toContain('create_new_portfolios');
  });

  it('the examples of the contract have their documented results after set-up by commands alone, and are read back as they were sent', async () => {
    const { import_suppliers, instance, ...lists } = JSON.parse(read('rules/reference-data.json'));
    const written = (settings: object) =>
      Object.entries(settings).flatMap(([name, value]) =>
        name === 'migration_state' || value === null ? [] : [`${name}=${value}`],
      );
    await portage.operator('reference', 'import', file(lists));
    await portage.operator('instance', 'set', ...written(instance));
    for (const code of ['LEGACY_A', 'LEGACY_B'])
      await portage.operator(
        'supplier',
        'create',
        code,
        '--organisation',
        'Supplier Ltd',
        '--profile',
        code === 'LEGACY_A' ? 'gb-energy' : 'core',
        '--rule-setting',
        ...written(import_suppliers[code]),
      );
    const validate = async (name: string) =>
      portage.post('/v2/data-import/accounts/validate/', JSON.parse(read(`examples/${name}.json`)));
    for (const name of [
      '01-domestic-dual-fuel',
      '03-business-two-addresses',
      '04-unknown-occupier',
      '02-minimal',
    ])
      expect([name, (await validate(name)).body]).toEqual([name, {}]);
    for (const name of [
      '01-domestic-dual-fuel',
      '03-business-two-addresses',
      '04-unknown-occupier',
      '02-minimal',
    ])
      await importAndReadBack(portage, JSON.parse(read(`examples/${name}.json`)));
    for (const name of ['05-ten-broken-rules', '06-broken-account-rules']) {
      const pairs = (errors: FieldError[]) => errors.map(({ code, attr }) => `${attr} ${code}`).sort();
      const { status, body } = await validate(name);
      expect(status).toBe(400);
      expect(pairs(body.errors)).toEqual(pairs(JSON.parse(read(`rules/${name}.expected.json`))));
    }
  });
});

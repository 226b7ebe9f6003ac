import { processId, sendBook, storeErrored, tomorrow } from '@portage/testing';
import { describeConsole, type Role } from './console-suite';

/** An action of a page: its button, the least role that has it, and the request behind it. */
interface Action {
  button: string;
  role: 'operator' | 'admin';
  method?: 'PATCH' | 'DELETE';
  path: string;
  body?: object;
}

const RANKS: Readonly<Record<Role, number>> = { viewer: 0, operator: 1, admin: 2 };

describeConsole('roles', (suite) => {
  /** The actions of every page, by its path and its first heading. */
  let pages: readonly (readonly [path: string, heading: string, actions: readonly Action[]])[];

  beforeAll(async () => {
    const { portage, code } = suite;
    await storeErrored(portage, ['ERRORED-1'], { code: 'error', detail: 'Words.' });
    const open = await sendBook(portage, [portage.account('OPEN-1')], {
      reference: 'open',
      isComplete: false,
    });
    await portage.waitForAccount('OPEN-1', 'PROCESSED');
    await portage.schedule({ payload: portage.account('WAITING-1'), task_params: tomorrow() });
    const { body: endpoint } = await portage.post('/v2/data-import/webhook-endpoints/', {
      import_supplier: code,
      url: 'https://hooks.example.com/portage',
    });
    const [key] = await portage.sql<{ prefix: string }>(
      `SELECT prefix FROM api_key JOIN organisation ON organisation.id = organisation_id WHERE name = $1`,
      [portage.organisation],
    );
    const [account] = await portage.sql<{ number: string }>(
      `SELECT number FROM account WHERE external_account_number = 'OPEN-1'
         AND supplier_id = (SELECT id FROM import_supplier WHERE code = $1)`,
      [code],
    );
    const processes = `/suppliers/${code}/processes`;
    const errored = `${processes}/${await processId(portage, 'ERRORED-1')}`;
    const keys = `/organisations/${encodeURIComponent(portage.organisation)}/api-keys`;
    const organisation = `Organisation ${code}`;
    const selection = { external_account_numbers: ['ERRORED-1'] };
    const act = { path: `/suppliers/${code}/process-actions/preview`, role: 'operator' } as const;
    const status = (name: string) => ({ path: `/suppliers/${code}/status`, body: { status: name } });
    const admin = { role: 'admin' } as const;
    const operator = { role: 'operator' } as const;
    pages = [
      ['/', 'Overview', []],
      [
        '/suppliers',
        'Suppliers',
        [{ ...admin, button: 'Create supplier', path: '/suppliers', body: { code: 'X', organisation } }],
      ],
      [
        `/suppliers/${code}`,
        code,
        [
          { ...operator, button: 'Pause', ...status('Paused') },
          { ...operator, button: 'Complete', ...status('Complete') },
        ],
      ],
      [processes, code, [{ ...act, button: 'Change accounts', body: { action: 'cancel', selection: {} } }]],
      [
        `/suppliers/${code}/settings`,
        code,
        [
          {
            ...admin,
            button: 'Save settings',
            method: 'PATCH',
            path: `/suppliers/${code}`,
            body: { currency: 'EUR' },
          },
          {
            ...admin,
            button: 'Set rule',
            method: 'PATCH',
            path: `/suppliers/${code}`,
            body: { rule_settings: { skip_property_creation: null } },
          },
        ],
      ],
      [
        `/suppliers/${code}/documents`,
        code,
        [{ ...operator, button: 'Retry documents', path: `/suppliers/${code}/documents/retry` }],
      ],
      [
        errored,
        'ERRORED-1',
        [
          { ...act, button: 'Retry', body: { action: 'retry', selection } },
          { ...operator, button: 'Show payload', path: `${errored}/payload` },
          { ...admin, button: 'Erase', path: `${errored}/erase`, body: { confirm: 'ERRORED-1' } },
        ],
      ],
      [
        `${processes}/${await processId(portage, 'OPEN-1')}`,
        'OPEN-1',
        [
          { ...operator, button: 'Show account', path: `/accounts/${account!.number}/read` },
          {
            ...admin,
            button: 'Erase account',
            path: `/accounts/${account!.number}/erase`,
            body: { confirm: account!.number },
          },
        ],
      ],
      [
        `${processes}/${await processId(portage, 'WAITING-1')}`,
        'WAITING-1',
        [{ ...act, button: 'Cancel', body: { action: 'cancel', selection } }],
      ],
      [
        `/submissions/${open}`,
        'open',
        [
          { ...operator, button: 'Abort', path: `/submissions/${open}/abort`, body: { confirm: open } },
          {
            ...operator,
            button: 'Roll back',
            path: `/submissions/${open}/rollback`,
            body: { dry_run: true },
          },
        ],
      ],
      ['/queues', 'Queues and workers', [{ ...operator, button: 'Pause', path: '/queues/emails/pause' }]],
      ['/vendors', 'Vendors', []],
      [
        `/webhooks?supplier=${code}`,
        'Webhooks',
        [
          {
            ...operator,
            button: 'Create endpoint',
            path: `/suppliers/${code}/webhooks`,
            body: { url: 'https://hooks.example.com/portage' },
          },
        ],
      ],
      [
        `/webhooks/${endpoint.id}`,
        `Endpoint ${endpoint.id}`,
        [
          { ...operator, button: 'Send test', path: `/webhooks/${endpoint.id}/test` },
          { ...operator, button: 'Replay', path: `/webhooks/${endpoint.id}/replay`, body: { after: 'now' } },
          { ...operator, button: 'Disable', path: `/webhooks/${endpoint.id}/disable` },
          { ...operator, button: 'Rotate secret', path: `/webhooks/${endpoint.id}/rotate-secret` },
          {
            ...operator,
            button: 'Delete',
            method: 'DELETE',
            path: `/webhooks/${endpoint.id}`,
            body: { confirm: endpoint.id as string },
          },
        ],
      ],
      [
        '/rules',
        'Account rules',
        [
          { ...admin, button: 'Import lists', path: '/reference-lists', body: { tprs: [] } },
          {
            ...admin,
            button: 'Set rule',
            method: 'PATCH',
            path: '/instance-settings',
            body: { payment_day_max: null },
          },
        ],
      ],
      ['/audit', 'Audit', []],
      [
        `/keys?organisation=${encodeURIComponent(portage.organisation)}`,
        'Organisations and keys',
        [
          { ...admin, button: 'Create organisation', path: '/organisations', body: { name: organisation } },
          { ...admin, button: 'Create supplier', path: '/suppliers', body: { code: 'X', organisation } },
          { ...admin, button: 'Issue key', path: keys },
          { ...admin, button: 'Revoke', method: 'DELETE', path: `/api-keys/${key!.prefix}` },
        ],
      ],
    ];
  });

  it.each<Role>(['viewer', 'operator', 'admin'])(
    'the role %s is offered what it may do, and the API refuses the rest',
    async (role) => {
      const console = await suite.openAs(role);
      const { page } = console;
      const wrong: string[] = [];
      for (const [path, heading, actions] of pages) {
        await console.goto(path);
        await console.waitForHeading(heading);
        await console.settle();
        for (const { button, role: least, method = 'POST', path: request, body } of actions) {
          const isAllowed = RANKS[role] >= RANKS[least];
          const buttons = page.locator('main').getByRole('button', { name: button, exact: true });
          if (isAllowed) await buttons.first().waitFor();
          else if ((await buttons.count()) > 0) wrong.push(`${path} offers ${button}`);
          if (isAllowed) continue;
          const answer = (await suite.request(page, method, request, body)).join(' ');
          if (answer !== '403 operator_role_required') wrong.push(`${method} ${request}: ${answer}`);
        }
      }
      expect(wrong).toEqual([]);
      expect(await page.getByRole('link', { name: 'Operators', exact: true }).count()).toBe(
        role === 'admin' ? 1 : 0,
      );
    },
    120_000,
  );

  it.each<Role>(['viewer', 'operator'])(
    'the role %s sees no operators, at their address either',
    async (role) => {
      const console = await suite.openAs(role);
      await console.goto('/operators');
      await console.page.getByRole('alert').getByText('Only administrators see this page.').waitFor();
      const page = console.page.locator('main');
      expect([await page.getByRole('heading').count(), await page.getByRole('button').count()]).toEqual([
        0, 0,
      ]);
      expect(await console.page.getByText(suite.nameOf('admin')).count()).toBe(0);
      for (const [method, path, body] of [
        ['POST', '/operators', { name: 'x', role: 'admin' }],
        ['PATCH', `/operators/${suite.nameOf('viewer')}`, { role: 'admin' }],
        ['POST', `/operators/${suite.nameOf('admin')}/reset-password`, {}],
      ] as const)
        expect(await suite.request(console.page, method, path, body)).toEqual([
          403,
          'operator_role_required',
        ]);
    },
  );

  it('a role that was taken away holds at the next request of an open page', async () => {
    const name = suite.nameOf('operator');
    const console = await suite.openAs('operator');
    await console.goto('/queues');
    const row = console.page.getByRole('row', { name: /^emails/ });
    await row.getByRole('button', { name: 'Pause' }).click();
    await suite.portage.operator('operator', 'set-role', name, 'viewer');
    await console.page.getByRole('button', { name: 'Pause queue' }).click();
    await console.page.getByRole('alert').getByText('operator_role_required').waitFor();
    await console.page.reload();
    await row.waitFor();
    expect(await row.getByRole('button').count()).toBe(0);
    await suite.portage.operator('operator', 'set-role', name, 'operator');
  });
});

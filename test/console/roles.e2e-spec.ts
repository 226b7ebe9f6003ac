import { processId, sendBook, storeErrored, tomorrow } from '@portage/testing';
import { describeConsole, type Role } from './console-suite';

/** A button of a page, and the least role that has it. */
type Action = readonly [button: string, role: 'operator' | 'admin'];

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
    const processes = `/suppliers/${code}/processes`;
    const errored = `${processes}/${await processId(portage, 'ERRORED-1')}`;
    pages = [
      ['/', 'Overview', []],
      ['/suppliers', 'Suppliers', [['Create supplier', 'admin']]],
      [
        `/suppliers/${code}`,
        code,
        [
          ['Pause', 'operator'],
          ['Complete', 'operator'],
        ],
      ],
      [processes, code, [['Change accounts', 'operator']]],
      [
        `/suppliers/${code}/settings`,
        code,
        [
          ['Save settings', 'admin'],
          ['Set rule', 'admin'],
        ],
      ],
      [`/suppliers/${code}/documents`, code, [['Retry documents', 'operator']]],
      [
        errored,
        'ERRORED-1',
        [
          ['Retry', 'operator'],
          ['Show payload', 'operator'],
          ['Erase', 'admin'],
        ],
      ],
      [
        `${processes}/${await processId(portage, 'OPEN-1')}`,
        'OPEN-1',
        [
          ['Show account', 'operator'],
          ['Erase account', 'admin'],
        ],
      ],
      [`${processes}/${await processId(portage, 'WAITING-1')}`, 'WAITING-1', [['Cancel', 'operator']]],
      [
        `/submissions/${open}`,
        'open',
        [
          ['Abort', 'operator'],
          ['Roll back', 'operator'],
        ],
      ],
      ['/queues', 'Queues and workers', [['Pause', 'operator']]],
      [`/webhooks?supplier=${code}`, 'Webhooks', [['Create endpoint', 'operator']]],
      [
        `/webhooks/${endpoint.id}`,
        `Endpoint ${endpoint.id}`,
        ['Send test', 'Replay', 'Disable', 'Rotate secret', 'Delete'].map((button) => [button, 'operator']),
      ],
      [
        '/rules',
        'Account rules',
        [
          ['Import lists', 'admin'],
          ['Set rule', 'admin'],
        ],
      ],
      ['/audit', 'Audit', []],
      [
        `/keys?organisation=${encodeURIComponent(portage.organisation)}`,
        'Organisations and keys',
        ['Create organisation', 'Create supplier', 'Issue key', 'Revoke'].map((button) => [button, 'admin']),
      ],
    ];
  });

  it.each<Role>(['viewer', 'operator', 'admin'])(
    // operator-api.e2e-spec.ts shows that the API refuses the rest.
    'the role %s is offered what it may do, and nothing else',
    async (role) => {
      const console = await suite.openAs(role);
      const { page } = console;
      const wrong: string[] = [];
      for (const [path, heading, actions] of pages) {
        await console.goto(path);
        await console.waitForHeading(heading);
        await console.settle();
        for (const [button, least] of actions) {
          const buttons = page.locator('main').getByRole('button', { name: button, exact: true });
          if (RANKS[role] >= RANKS[least]) await buttons.first().waitFor();
          else if ((await buttons.count()) > 0) wrong.push(`${path} offers ${button}`);
        }
      }
      expect(wrong).toEqual([]);
      expect(await page.getByRole('link', { name: 'Operators', exact: true }).count()).toBe(
        role === 'admin' ? 1 : 0,
      );
    },
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
    },
  );

  it('a role that was taken away holds at the next request of an open page', async () => {
    const name = suite.nameOf('operator');
    const console = await suite.openAs('operator');
    await console.goto('/queues');
    const row = console.page.getByRole('row', { name: /^emails/ });
    await row.getByRole('button', { name: 'Pause' }).click();
    await suite.portage.operator('operator', 'set', name, '--role', 'viewer');
    await console.page.getByRole('button', { name: 'Pause queue' }).click();
    await console.page.getByRole('alert').getByText('operator_role_required').waitFor();
    await console.page.reload();
    await row.waitFor();
    expect(await row.getByRole('button').count()).toBe(0);
    await suite.portage.operator('operator', 'set', name, '--role', 'operator');
  });
});

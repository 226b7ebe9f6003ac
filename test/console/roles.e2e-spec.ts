import { processId, sendBook, storeErrored, tomorrow } from '@portage/testing';
import { describeConsole, type Role } from './console-suite';

/** The buttons of a page by the least role that has them. */
type Actions = Readonly<Partial<Record<Role, readonly string[]>>>;

const ROLES: readonly Role[] = ['viewer', 'operator', 'admin'];

describeConsole('roles', (suite) => {
  /** The actions of every page, by its path and its first heading. */
  let pages: readonly (readonly [path: string, heading: string, actions: Actions])[];

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
    const pageOf = async (number: string) => `${processes}/${await processId(portage, number)}`;
    const [errored, imported] = [await pageOf('ERRORED-1'), await pageOf('OPEN-1')];
    const waiting = await pageOf('WAITING-1');
    pages = [
      ['/', 'Overview', {}],
      ['/suppliers', 'Suppliers', { admin: ['Create supplier'] }],
      [`/suppliers/${code}`, code, { operator: ['Pause', 'Complete'] }],
      [processes, code, { operator: ['Change accounts'] }],
      [`/suppliers/${code}/settings`, code, { admin: ['Save settings', 'Set rule'] }],
      [`/suppliers/${code}/documents`, code, { operator: ['Retry documents'] }],
      [errored, 'ERRORED-1', { operator: ['Retry', 'Show payload'], admin: ['Erase'] }],
      [imported, 'OPEN-1', { operator: ['Show account'], admin: ['Erase account'] }],
      [waiting, 'WAITING-1', { operator: ['Cancel'] }],
      [`/submissions/${open}`, 'open', { operator: ['Abort', 'Roll back'] }],
      ['/queues', 'Queues and workers', { operator: ['Pause'] }],
      [`/webhooks?supplier=${code}`, 'Webhooks', { operator: ['Create endpoint'] }],
      [
        `/webhooks/${endpoint.id}`,
        `Endpoint ${endpoint.id}`,
        { operator: ['Send test', 'Replay', 'Disable', 'Rotate secret', 'Delete'] },
      ],
      ['/rules', 'Account rules', { admin: ['Import lists', 'Set rule'] }],
      ['/audit', 'Audit', {}],
      [
        `/keys?organisation=${encodeURIComponent(portage.organisation)}`,
        'Organisations and keys',
        { admin: ['Create organisation', 'Create supplier', 'Issue key', 'Revoke'] },
      ],
    ];
  });

  it.each(ROLES)(
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
        for (const [rank, least] of ROLES.entries())
          for (const button of actions[least] ?? []) {
            const buttons = page.locator('main').getByRole('button', { name: button, exact: true });
            if (ROLES.indexOf(role) >= rank) await buttons.first().waitFor();
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

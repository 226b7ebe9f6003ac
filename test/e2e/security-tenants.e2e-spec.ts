import { account, type Answer, type DocumentedRoute, documentedRoutes, TestPortage } from '@portage/testing';

const THEIRS = { supplier: 'LEGACY', number: 'N-THEIRS' };
/** Whom a route may be asked about. */
type Subject = typeof THEIRS;

let portage: TestPortage;
let routes: DocumentedRoute[];
let rival: string;
let before: object;

beforeAll(async () => {
  portage = await TestPortage.start({ backend: 'postgres' });
  await portage.operator('organisation', 'create', 'Rival Ltd');
  await portage.operator('supplier', 'create', 'RIVAL', '--organisation', 'Rival Ltd');
  const { api_key } = await portage.operator('api-key', 'issue', '--organisation', 'Rival Ltd');
  rival = await portage.obtainToken(api_key as string);
  expect((await portage.schedule(account(THEIRS.number))).status).toBe(201);
  await portage.waitFor('PROCESSED', 1);
  // Scheduling comes last: what it makes would be found by the others.
  const isLast = ({ path }: DocumentedRoute) => path === '/v2/data-import/accounts';
  routes = (await documentedRoutes(portage))
    .filter(({ isGuarded }) => isGuarded)
    .sort((one, other) => Number(isLast(one)) - Number(isLast(other)));
  expect(routes.filter(isLast)).toHaveLength(1);
  before = await stored();
});
afterAll(async () => {
  await portage.stop();
});

/** All that there is of the account. */
async function stored(): Promise<object> {
  const { body } = await portage.status(THEIRS.number);
  expect(body.status).toBe('PROCESSED');
  return (await portage.operator('account', 'show', body.platform_identifier as string)) as object;
}

const ADDRESS_PARTS: Record<string, (subject: Subject) => string> = {
  supplier: ({ supplier }) => supplier,
  identifier: ({ number }) => number,
  accountNumber: ({ number }) => number,
};

/** The request that a route's example is, about somebody else. Fails where a route does not say whom it is about. */
async function ask(route: DocumentedRoute, token: string, { supplier, number }: Subject): Promise<Answer> {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const part = ADDRESS_PARTS[name];
    if (!part) throw new Error(`${route.name} has a parameter ${name} that this test does not know.`);
    return encodeURIComponent(part({ supplier, number }));
  });
  const [example] = route.bodies;
  if (example && !('import_supplier' in example)) throw new Error(`${route.name} names no supplier.`);
  const body = example && { ...example, import_supplier: supplier, external_account_number: number };
  return portage.send(route.method, path, { body, headers: { authorization: `Token ${token}` } });
}

/** All that is told, but for the names that were asked about and what is new with every answer. */
function told({ status, headers, text }: Answer): object {
  const { date: _date, 'x-request-id': _requestId, 'content-length': _length, ...rest } = headers;
  const unnamed = (of: string) => of.replaceAll(/LEGACY|NOBODY|RIVAL|N-THEIRS|N-NOBODY/g, 'NAME');
  return { status, headers: unnamed(JSON.stringify(rest)), text: unnamed(text) };
}

describe('every route of the OpenAPI document', () => {
  it('is walked, and each is about a supplier', () => {
    expect(routes.length).toBeGreaterThanOrEqual(11);
    for (const { name, path, bodies } of routes)
      expect([name, path.includes('{supplier}') || bodies.length > 0]).toEqual([name, true]);
  });

  it('tells another organisation of a supplier what it tells of one that does not exist', async () => {
    for (const route of routes) {
      const theirs = await ask(route, rival, THEIRS);
      const nobodys = await ask(route, rival, { supplier: 'NOBODY', number: 'N-NOBODY' });
      expect([route.name, told(theirs)]).toEqual([route.name, told(nobodys)]);
      expect([route.name, theirs.status]).toEqual([
        route.name,
        route.bodies.length > 0 ? expect.any(Number) : 404,
      ]);
      expect([400, 404]).toContain(theirs.status);
      expect(theirs.text).not.toMatch(/Supplier Ltd|belong|permission|forbidden/i);
    }
  });

  it('tells it of an account of somebody else what it tells of one that does not exist', async () => {
    for (const route of routes) {
      const theirs = await ask(route, rival, { supplier: 'RIVAL', number: THEIRS.number });
      const nobodys = await ask(route, rival, { supplier: 'RIVAL', number: 'N-NOBODY' });
      expect([route.name, told(theirs)]).toEqual([route.name, told(nobodys)]);
    }
  });

  it('has changed nothing of theirs by then', async () => {
    expect(await stored()).toEqual(before);
  });

  it('tells the owner something else: the comparisons above are between refusals', async () => {
    for (const route of routes) {
      const own = await ask(route, portage.token, THEIRS);
      const nobodys = await ask(route, rival, { supplier: 'NOBODY', number: 'N-NOBODY' });
      expect([route.name, told(own)]).not.toEqual([route.name, told(nobodys)]);
      if (route.method === 'GET') expect([route.name, own.status]).toEqual([route.name, 200]);
    }
  });
});

import { type Answer, type DocumentedRoute, documentedRoutes, SharedPortage } from '@portage/testing';

/** The account that a request is about. */
interface Subject {
  supplier: string;
  number: string;
}

const UNKNOWN: Subject = { supplier: 'UNKNOWN', number: 'N-UNKNOWN' };
const NUMBER = 'N-OWNED';

let owner: SharedPortage;
let rival: SharedPortage;
let owned: Subject;
let routes: DocumentedRoute[];
let before: object;

beforeAll(async () => {
  [owner, rival] = await Promise.all([SharedPortage.join('postgres'), SharedPortage.join('postgres')]);
  owned = { supplier: owner.supplier, number: NUMBER };
  expect((await owner.schedule(owner.account(NUMBER))).status).toBe(201);
  await owner.waitFor('PROCESSED', 1);
  // Scheduling comes last, because the other routes would find the account that it creates.
  const isLast = ({ path }: DocumentedRoute) => path === '/v2/data-import/accounts';
  routes = (await documentedRoutes(owner))
    .filter(({ isGuarded }) => isGuarded)
    .sort((one, other) => Number(isLast(one)) - Number(isLast(other)));
  expect(routes.filter(isLast)).toHaveLength(1);
  before = await stored();
});
afterAll(async () => {
  await Promise.all([owner.leave(), rival.leave()]);
});

/** Everything that is stored about the owner's account. */
async function stored(): Promise<object> {
  const { body } = await owner.status(NUMBER);
  expect(body.status).toBe('PROCESSED');
  return (await owner.operator('account', 'show', body.platform_identifier as string)) as object;
}

const ADDRESS_PARTS: Record<string, (subject: Subject) => string> = {
  supplier: ({ supplier }) => supplier,
  identifier: ({ number }) => number,
  accountNumber: ({ number }) => number,
};

/** Sends the example of a route about another account. Fails for a route that names no account or supplier. */
async function sendExample(
  route: DocumentedRoute,
  sender: SharedPortage,
  { supplier, number }: Subject,
): Promise<Answer> {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const part = ADDRESS_PARTS[name];
    if (!part) throw new Error(`${route.name} has a parameter ${name} that this test does not know.`);
    return encodeURIComponent(part({ supplier, number }));
  });
  const [example] = route.bodies;
  if (example && !('import_supplier' in example)) throw new Error(`${route.name} names no supplier.`);
  const body = example && { ...example, import_supplier: supplier, external_account_number: number };
  return sender.send(route.method, path, { body });
}

/** An answer without the names in the request and without the headers that differ in every answer. */
function comparable({ status, headers, text }: Answer): object {
  const { date: _date, 'x-request-id': _requestId, 'content-length': _length, ...rest } = headers;
  const names = [UNKNOWN.number, NUMBER, UNKNOWN.supplier, owner.supplier, rival.supplier];
  const unnamed = (all: string) => names.reduce((rest, name) => rest.replaceAll(name, 'NAME'), all);
  return { status, headers: unnamed(JSON.stringify(rest)), text: unnamed(text) };
}

describe('every route of the OpenAPI document', () => {
  it('is walked, and each is about a supplier', () => {
    expect(routes.length).toBeGreaterThanOrEqual(11);
    for (const { name, path, bodies } of routes)
      expect([name, path.includes('{supplier}') || bodies.length > 0]).toEqual([name, true]);
  });

  it('answers another organisation about an existing supplier as about one that does not exist', async () => {
    for (const route of routes) {
      const existing = await sendExample(route, rival, owned);
      const unknown = await sendExample(route, rival, UNKNOWN);
      expect([route.name, comparable(existing)]).toEqual([route.name, comparable(unknown)]);
      expect([route.name, existing.status]).toEqual([
        route.name,
        route.bodies.length > 0 ? expect.any(Number) : 404,
      ]);
      expect([400, 404]).toContain(existing.status);
      expect(existing.text).not.toContain(owner.organisation);
      expect(existing.text).not.toMatch(/belong|permission|forbidden/i);
    }
  });

  it('answers it about an existing account as about one that does not exist', async () => {
    const { supplier } = rival;
    for (const route of routes) {
      const existing = await sendExample(route, rival, { supplier, number: NUMBER });
      const unknown = await sendExample(route, rival, { supplier, number: UNKNOWN.number });
      expect([route.name, comparable(existing)]).toEqual([route.name, comparable(unknown)]);
    }
    expect(await stored()).toEqual(before);
  });

  it('answers the owner differently, so the comparisons above are between refusals', async () => {
    for (const route of routes) {
      const own = await sendExample(route, owner, owned);
      const unknown = await sendExample(route, rival, UNKNOWN);
      expect([route.name, comparable(own)]).not.toEqual([route.name, comparable(unknown)]);
      if (route.method === 'GET') expect([route.name, own.status]).toEqual([route.name, 200]);
    }
  });
});

import {
  type Answer,
  type DocumentedRoute,
  documentedRoutes,
  LINES_MEDIA_TYPE,
  SharedPortage,
} from '@portage/testing';

/** The supplier, the account, the submission and the webhook endpoint in a request. */
interface Subject {
  supplier: string;
  number: string;
  submission: string;
  endpoint: string;
}

const UNKNOWN: Subject = {
  supplier: 'UNKNOWN',
  number: 'N-UNKNOWN',
  submission: '999999999',
  endpoint: '999999999',
};
const NUMBER = 'N-OWNED';

/** The routes that need or store an account, in the order in which they are tested. */
const STORING_PATHS = [
  '/v1/data-import/account-import-process/process/',
  '/v1/data-import/account-import-process/create-or-update/',
  '/v2/data-import/accounts/',
];

/** The catalogue is the same for all organisations; the list has the suppliers of the caller. */
const ROUTES_WITHOUT_SUPPLIER = ['/v2/data-import/error-codes/', '/v2/data-import/suppliers/'];

const owner = SharedPortage.use('postgres');
const otherTenant = SharedPortage.use('postgres');
let owned: Subject;
let routes: DocumentedRoute[];
let before: object;

beforeAll(async () => {
  const submission = { import_supplier: owner.supplier, reference: 'owned' };
  const { id } = (await owner.post('/v2/data-import/submissions/', submission)).body;
  const endpoint = { import_supplier: owner.supplier, url: 'http://127.0.0.1:65535/' };
  const { body } = await owner.post('/v2/data-import/webhook-endpoints/', endpoint);
  owned = {
    supplier: owner.supplier,
    number: NUMBER,
    submission: id as string,
    endpoint: body.id as string,
  };
  expect((await owner.schedule(owner.account(NUMBER))).status).toBe(201);
  await owner.waitFor('PROCESSED', 1);
  // Routes that store an account or delete are tested last, because the other routes would notice it.
  const rank = ({ path, method }: DocumentedRoute) =>
    method === 'DELETE' ? STORING_PATHS.length : STORING_PATHS.indexOf(path);
  routes = (await documentedRoutes(owner))
    .filter(({ isGuarded, path }) => isGuarded && !ROUTES_WITHOUT_SUPPLIER.includes(path))
    .sort((one, other) => rank(one) - rank(other));
  expect(routes.filter((route) => rank(route) !== -1)).toHaveLength(STORING_PATHS.length + 1);
  before = await readOwnedAccount();
});

/** Reads all stored data of the owner's account. */
async function readOwnedAccount(): Promise<object> {
  const { body } = await owner.status(NUMBER);
  expect(body.status).toBe('PROCESSED');
  return (await owner.operator('account', 'show', body.platform_identifier as string)) as object;
}

const ADDRESS_PARTS: Record<string, (subject: Subject, path: string) => string> = {
  supplier: ({ supplier }) => supplier,
  identifier: ({ number }) => number,
  accountNumber: ({ number }) => number,
  path: () => 'a.pdf',
  id: ({ submission, endpoint }, path) => (path.includes('/webhook-endpoints/') ? endpoint : submission),
};

/** Sends the example of a route for a supplier and an account. @throws Error if the route has no supplier */
async function sendExample(route: DocumentedRoute, sender: SharedPortage, subject: Subject): Promise<Answer> {
  const { supplier, number } = subject;
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const part = ADDRESS_PARTS[name];
    if (!part) throw new Error(`${route.name} has a parameter ${name} that this test does not know.`);
    return encodeURIComponent(part(subject, route.path));
  });
  const [example] = route.bodies;
  const field = ['import_supplier', 'import_supplier_code'].find((name) => example && name in example);
  if (example && !field && !route.path.includes('{id}')) throw new Error(`${route.name} names no supplier.`);
  const body = field ? { ...example, [field]: supplier } : example;
  // A member that a body does not have would be refused before the supplier is looked up.
  if (body && 'external_account_number' in body) body['external_account_number'] = number;
  const query = namesSupplierInQuery(route) ? `?supplier=${encodeURIComponent(supplier)}` : '';
  return route.takesLines
    ? sender.send(route.method, path, {
        body: `${JSON.stringify(body)}\n`,
        headers: { 'content-type': LINES_MEDIA_TYPE },
      })
    : sender.send(route.method, path + query, { body });
}

function namesSupplierInQuery({ parameters }: DocumentedRoute): boolean {
  return parameters.some((parameter) => parameter.name === 'supplier' && parameter.in === 'query');
}

/** False for a request that opens or creates something, which names no account. */
function namesObject({ path, bodies: [example] }: DocumentedRoute): boolean {
  return path.includes('{') || (example !== undefined && 'external_account_number' in example);
}

/** Removes the names in the request and the headers that differ between equal answers. */
function normalize({ status, headers, text }: Answer): object {
  const {
    date: _date,
    'x-request-id': _requestId,
    'content-length': _length,
    // Of the posted account, which has another number.
    'payload-digest': _digest,
    ...rest
  } = headers;
  const names = [UNKNOWN.number, NUMBER, UNKNOWN.supplier, owner.supplier, otherTenant.supplier];
  const withoutNames = (all: string) => names.reduce((rest, name) => rest.replaceAll(name, 'NAME'), all);
  // The cursor of an empty feed moves on with the transactions of the whole server.
  const withoutCursor = text.replace(/(?<="events":\[\],"next":)"[\w-]+"/, '"CURSOR"');
  return { status, headers: withoutNames(JSON.stringify(rest)), text: withoutNames(withoutCursor) };
}

describe('every route of the OpenAPI document', () => {
  it('has a supplier, or a submission, in its path, query or body', () => {
    expect(routes.length).toBeGreaterThanOrEqual(11);
    for (const route of routes) {
      const { name, path, bodies } = route;
      const isNamed = /\{(supplier|id)\}/.test(path) || bodies.length > 0 || namesSupplierInQuery(route);
      expect([name, isNamed]).toEqual([name, true]);
    }
  });

  it('answers another organisation for an existing supplier like for an unknown one', async () => {
    for (const route of routes) {
      const existing = await sendExample(route, otherTenant, owned);
      const unknown = await sendExample(route, otherTenant, UNKNOWN);
      expect([route.name, normalize(existing)]).toEqual([route.name, normalize(unknown)]);
      expect([route.name, existing.status]).toEqual([
        route.name,
        route.bodies.length > 0 ? expect.any(Number) : 404,
      ]);
      expect([400, 404]).toContain(existing.status);
      expect(existing.text).not.toContain(owner.organisation);
      expect(existing.text).not.toMatch(/belong|permission|forbidden/i);
    }
  });

  it('answers another organisation for an existing account like for an unknown one', async () => {
    const { supplier } = otherTenant;
    for (const route of routes.filter((one) => one.method !== 'POST' || namesObject(one))) {
      const existing = await sendExample(route, otherTenant, { ...UNKNOWN, supplier, number: NUMBER });
      const unknown = await sendExample(route, otherTenant, { ...UNKNOWN, supplier });
      expect([route.name, normalize(existing)]).toEqual([route.name, normalize(unknown)]);
    }
    expect(await readOwnedAccount()).toEqual(before);
  });

  it('answers the owner differently, which shows that the compared answers are refusals', async () => {
    // Taking the account back comes last: nothing is left to answer about.
    const isLast = ({ path }: DocumentedRoute) => Number(path.includes('/take-back'));
    for (const route of routes.toSorted((one, other) => isLast(one) - isLast(other))) {
      const own = await sendExample(route, owner, owned);
      const unknown = await sendExample(route, otherTenant, UNKNOWN);
      expect([route.name, normalize(own)]).not.toEqual([route.name, normalize(unknown)]);
      if (route.method === 'GET') expect([route.name, own.status]).toEqual([route.name, 200]);
    }
  });
});

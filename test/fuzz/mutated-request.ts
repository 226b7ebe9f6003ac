import { type DocumentedRoute, LINES_MEDIA_TYPE, PDF_MEDIA_TYPE } from '@portage/testing';
import { hostileText, hostileValue } from './hostile-values';
import type { Random } from './random';

export interface MutatedRequest {
  route: DocumentedRoute;
  method: string;
  path: string;
  headers: Record<string, string | undefined>;
  body: string | Buffer | undefined;
}

/** The routes and existing data from which requests are built. */
export interface RequestSource {
  routes: readonly DocumentedRoute[];
  supplier: string;
  /** External account numbers of existing accounts. */
  accounts: readonly string[];
  /** External account numbers of staged accounts. */
  staged: readonly string[];
  /** Ids of submissions of accounts. */
  submissions: readonly string[];
  /** Ids of submissions of additions. */
  books: readonly string[];
  /** Ids of webhook endpoints. The first half is for routes that delete. */
  endpoints: readonly string[];
}

const PDF = '%PDF-1.4\n1 0 obj\nendobj\ntrailer\nstartxref\n0\n%%EOF\n';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * Builds a request from an example of the OpenAPI document with random mutations. Equal random numbers give equal
 * requests.
 */
export function buildMutatedRequest(
  random: Random,
  { routes, supplier, accounts, staged, submissions, books, endpoints }: RequestSource,
): MutatedRequest {
  const route = random.pick(routes);
  const number = pickNumber(random, route, { accounts, staged });
  const ids = { submissions, books, endpoints: halfOf(endpoints, route) };
  const id = random.pick(ids[idOf(route)]);
  const values: Record<string, string> = {
    supplier,
    identifier: number,
    accountNumber: number,
    id,
    path: `${number}.pdf`,
  };
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    mutatedPart(random, values[name] ?? 'x'),
  );
  const method = random.chance(0.03) ? random.pick(METHODS) : route.method;
  return {
    route,
    method,
    path: path + mutatedQuery(random, route, supplier),
    headers: {
      ...(route.takesLines && { 'content-type': LINES_MEDIA_TYPE }),
      ...(route.takesPdf && { 'content-type': PDF_MEDIA_TYPE }),
      ...mutatedHeaders(random),
    },
    body: buildBody(random, route, values),
  };
}

function buildBody(
  random: Random,
  route: DocumentedRoute,
  values: Record<string, string>,
): string | Buffer | undefined {
  if (route.takesPdf) return random.chance(0.5) ? PDF : mutatedText(random, PDF);
  if (route.takesLines) return mutatedLines(random, route, values);
  return route.bodies.length > 0 ? mutatedBody(random, route, values) : strayBody(random);
}

/** Of what the id in the path of a route is. */
function idOf({ path }: DocumentedRoute): 'submissions' | 'books' | 'endpoints' {
  if (path.includes('/webhook-endpoints/')) return 'endpoints';
  return path.endsWith('{id}/additions/') ? 'books' : 'submissions';
}

function halfOf(endpoints: readonly string[], { method }: DocumentedRoute): readonly string[] {
  const middle = Math.floor(endpoints.length / 2);
  return method === 'DELETE' ? endpoints.slice(0, middle) : endpoints.slice(middle);
}

/** The number of an account with which the route can succeed, most of the time. */
function pickNumber(
  random: Random,
  { path, bodies }: DocumentedRoute,
  { accounts, staged }: Pick<RequestSource, 'accounts' | 'staged'>,
): string {
  const needsStaged = path.endsWith('/cancel/') || bodies.some((body) => 'import_supplier_code' in body);
  if (needsStaged) return random.pick(staged);
  // An account that exists is refused by the endpoints that take whole accounts, but for corrections.
  const takesAccounts = !path.endsWith('/correct/') && bodies.some((body) => 'customers' in body);
  return random.chance(takesAccounts ? 0.7 : 0.2) ? `F-${random.between(1, 200)}` : random.pick(accounts);
}

function mutatedPart(random: Random, value: string): string {
  if (random.chance(0.6)) return encodeURIComponent(value);
  return random.pick([
    () => safelyEncoded(hostileText(random).slice(0, 2_000)),
    () => '%zz',
    () => '%C3%28',
    () => '..%2f..',
    () => `${encodeURIComponent(value)}%00`,
    () => 'x'.repeat(random.between(100, 3_000)),
  ])();
}

function safelyEncoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function mutatedQuery(random: Random, { method, parameters }: DocumentedRoute, supplier: string): string {
  const needsSupplier = parameters.some((one) => one.in === 'query' && one.name === 'supplier');
  if (needsSupplier && random.chance(0.4)) return `?supplier=${encodeURIComponent(supplier)}`;
  const names = [
    ...parameters.filter((one) => one.in === 'query').map(({ name }) => name),
    'unknown',
    '__proto__',
  ];
  // A request that writes is refused for a parameter that it does not know.
  if (random.chance(method === 'GET' ? 0.6 : 0.9)) return '';
  const pairs = Array.from({ length: random.between(1, 4) }, () => {
    const value = random.chance(0.4) ? String(random.between(-2, 20_000)) : hostileText(random).slice(0, 500);
    return `${random.pick(names)}${random.pick(['', '[]', '[a]'])}=${safelyEncoded(value)}`;
  });
  return `?${pairs.join(random.pick(['&', '&', '&&', ';']))}`;
}

function mutatedHeaders(random: Random): Record<string, string | undefined> {
  const headers: Record<string, string | undefined> = {};
  const printable = () =>
    hostileText(random)
      .replaceAll(/[^\x20-\x7e]/g, '?')
      .slice(0, 2_000);
  if (random.chance(0.05))
    headers['authorization'] = random.pick([
      undefined,
      'Token',
      'Token x.y.z',
      `Token ${printable()}`,
      'Bearer x',
    ]);
  if (random.chance(0.05))
    headers['content-type'] = random.pick([
      undefined,
      'text/plain',
      'application/json; charset=utf-16',
      'application/xml',
      ';',
      printable(),
    ]);
  if (random.chance(0.1)) headers['idempotency-key'] = random.pick(['key-1', 'key-2', '', printable()]);
  if (random.chance(0.05)) headers['x-request-id'] = printable();
  if (random.chance(0.03)) headers['content-encoding'] = random.pick(['gzip', 'br', 'x']);
  if (random.chance(0.03)) headers['accept'] = random.pick(['text/html', '', printable()]);
  if (random.chance(0.03)) headers['x-forwarded-for'] = printable();
  return headers;
}

function strayBody(random: Random): string | undefined {
  return random.chance(0.05) ? random.pick(['{}', '[]', 'x', 'null']) : undefined;
}

function mutatedBody(
  random: Random,
  { bodies }: DocumentedRoute,
  values: Record<string, string>,
): string | Buffer {
  const body = structuredClone(random.pick(bodies));
  // A line of additions has its request in a member.
  for (const request of [body, ...Object.values(body).filter(isObject)]) setIdentity(request, values);
  for (let times = random.pick([0, 0, 0, 1, 1, 1, 2, 3, 8]); times > 0; times -= 1)
    mutateRandomPlace(random, body);
  const text = JSON.stringify(body);
  return random.chance(0.9) ? text : mutatedText(random, text);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function setIdentity(request: Record<string, unknown>, values: Record<string, string>): void {
  for (const key of ['import_supplier', 'import_supplier_code'])
    if (key in request) request[key] = values['supplier'];
  if ('external_account_number' in request) request['external_account_number'] = values['identifier'];
  // Otherwise the identifier of the example is taken after its first use.
  if ('external_identifier' in request) request['external_identifier'] = values['identifier'];
}

/** Several mutated bodies, each on a line. */
function mutatedLines(random: Random, route: DocumentedRoute, values: Record<string, string>): Buffer {
  const lines = Array.from({ length: random.between(1, 4) }, () => mutatedBody(random, route, values));
  return Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')]));
}

/** Mutates a value at a random place, which a random descent from the root selects. */
function mutateRandomPlace(random: Random, root: Record<string, unknown>): void {
  let place: Record<string, unknown> | unknown[] = root;
  for (;;) {
    const keys = Object.keys(place);
    const key = keys.length > 0 ? random.pick(keys) : '0';
    const child = place[key];
    if (typeof child === 'object' && child !== null && random.chance(0.75)) {
      place = child as Record<string, unknown>;
      continue;
    }
    mutateAt(random, place, key);
    return;
  }
}

function mutateAt(random: Random, place: Record<string, unknown>, key: string): void {
  const change = random.pick(['replace', 'replace', 'replace', 'remove', 'add', 'repeat', 'wrap']);
  if (change === 'remove' && !Array.isArray(place)) Reflect.deleteProperty(place, key);
  else if (change === 'add' && !Array.isArray(place))
    place[hostileText(random).slice(0, 100)] = hostileValue(random);
  else if (change === 'repeat' && Array.isArray(place))
    place.push(...Array.from({ length: random.between(1, 200) }, () => place[Number(key)] as unknown));
  else if (change === 'wrap') place[key] = random.chance(0.5) ? [place[key]] : { value: place[key] };
  else place[key] = hostileValue(random);
}

/** Corrupts the JSON text. The result is mostly invalid JSON. */
function mutatedText(random: Random, text: string): string | Buffer {
  const at = random.between(0, text.length);
  const bytes = Buffer.from(text);
  return random.pick<() => string | Buffer>([
    () => text.slice(0, at),
    () =>
      `${text.slice(0, at)}${random.pick(['"', '}', ']', ',', ':', '\u0000', '1', '/*'])}${text.slice(at)}`,
    () => text.replace('{', '{"import_supplier":"LEGACY","import_supplier":null,'),
    () => text.replaceAll(/\d+/g, (digits) => digits.repeat(random.between(1, 40))),
    () => `[${text}]`,
    () => `\ufeff${text}`,
    () => '['.repeat(random.between(10, 50_000)),
    () => {
      for (let flips = random.between(1, 8); flips > 0; flips -= 1)
        bytes[random.between(0, bytes.length - 1)] = random.between(0, 255);
      return bytes;
    },
  ])();
}

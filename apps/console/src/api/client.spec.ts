import { ApiError } from './api-error';
import { change, downloadUrl, path, read } from './client';

const fetched: [url: string, init: RequestInit][] = [];
let answer: Response;

beforeEach(() => {
  fetched.length = 0;
  answer = new Response('{"ok":true}');
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
    fetched.push([url as string, init!]);
    return Promise.resolve(answer);
  });
});
afterEach(() => {
  jest.restoreAllMocks();
});

it('a path has each segment encoded, and a query only parameters with a value', () => {
  expect(path('suppliers', 'A/B ü', 7)).toBe('/suppliers/A%2FB%20%C3%BC/7');
  expect(downloadUrl('/audit', { action: 'a b', actor: '', limit: 0, from: undefined })).toBe(
    '/operator/v1/audit?action=a+b&limit=0',
  );
});

it('requests carry the cookie of this origin only, and a change its body', async () => {
  expect(await read('/overview')).toEqual({ ok: true });
  answer = new Response(null, { status: 204 });
  await change('DELETE', '/api-keys/k', { confirm: 'k' });
  expect(fetched).toMatchObject([
    ['/operator/v1/overview', { method: 'GET', credentials: 'same-origin', cache: 'no-store' }],
    ['/operator/v1/api-keys/k', { method: 'DELETE', body: '{"confirm":"k"}' }],
  ]);
});

it.each([
  ['{"code":"throttled","detail":"Wait."}', { 'Retry-After': '3' }, ['throttled', 'Wait.', 3]],
  ['<h1>Bad gateway</h1>', {}, ['503', 'The answer has no explanation.', undefined]],
])('the refusal %s is an error with its code and detail', async (body, headers, expected) => {
  answer = new Response(body, { status: 503, headers });
  const error: unknown = await read('/overview').catch((one: unknown) => one);
  expect(error).toBeInstanceOf(ApiError);
  const { code, detail, retryAfterSeconds } = error as ApiError;
  expect([code, detail, retryAfterSeconds]).toEqual(expected);
});

import { setTimeout as sleep } from 'node:timers/promises';
import { PortageError } from '@portage/platform';
import fastify from 'fastify';
import { GraphqlCost } from './graphql-cost';
import { GRAPHQL_PATH, registerGraphqlRoute } from './graphql-route';

const WINDOW_MS = 2_000;

/** The route, on which each query takes 3 ms and an address has 5 ms. */
async function serve() {
  const server = fastify();
  let time = 0;
  let readBodies = 0;
  server.addHook('preParsing', (_request, _reply, _payload, done) => {
    readBodies += 1;
    done();
  });
  const cost = new GraphqlCost({ cpuMs: 5, windowMs: WINDOW_MS }, () => (time += 3));
  registerGraphqlRoute(
    server,
    { MAX_BODY_BYTES: 20_000, GRAPHQL_INTROSPECTION: false },
    { obtain: async () => Promise.reject(new Error('internal')) },
    {
      toPortageError: (error) =>
        error instanceof PortageError ? error : new PortageError('error', 'A fault.'),
    },
    cost,
  );
  await server.ready();
  return {
    server,
    post: async (query: string, remoteAddress = '198.51.100.1') =>
      server.inject({ method: 'POST', url: GRAPHQL_PATH, payload: { query }, remoteAddress }),
    readBodies: () => readBodies,
  };
}

describe('the GraphQL route', () => {
  it('refuses an address that has used its processor time, before its body is read, until the window ends', async () => {
    const { server, post, readBodies } = await serve();
    for (const _ of [1, 2])
      expect((await post('{ service }')).json()).toEqual({ data: { service: 'portage' } });
    const refused = await post('{ service }');
    expect([refused.statusCode, refused.headers['retry-after'], readBodies()]).toEqual([429, '2', 2]);
    expect(refused.json()).toMatchObject({ data: null, errors: [{ extensions: { code: 'throttled' } }] });
    expect((await post('{ service }', '198.51.100.2')).statusCode).toBe(200);
    await sleep(WINDOW_MS + 50);
    expect((await post('{ service }')).statusCode).toBe(200);
    await server.close();
  });

  it('answers a fault of a resolver with its path, and without its message', async () => {
    const { server, post } = await serve();
    const query = 'mutation { obtainPlatformToken(input: { APIKey: "a" }) { token } }';
    const failed = await post(query);
    expect([failed.statusCode, failed.json()]).toEqual([
      200,
      {
        data: null,
        errors: [
          {
            message: 'A fault.',
            locations: [{ line: 1, column: 12 }],
            path: ['obtainPlatformToken'],
            extensions: { code: 'error', detail: 'A fault.' },
          },
        ],
      },
    ]);
    await server.close();
  });

  it('refuses a query that is too long before it is parsed', async () => {
    const { server, post } = await serve();
    const long = await post(`{ ${'"'.repeat(4_001)} }`);
    expect([long.statusCode, long.body.includes('more than 4000 characters')]).toEqual([400, true]);
    await server.close();
  });
});

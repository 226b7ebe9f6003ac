import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AnswerDocument, DocumentedAnswers, REPOSITORY, SharedPortage } from '@portage/testing';
import Ajv, { type ValidateFunction } from 'ajv/dist/2020';

type Json = Record<string, unknown>;

interface Media {
  schema?: Json;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}
interface Operation {
  operationId?: string;
  summary?: string;
  parameters?: {
    name: string;
    in: string;
    required?: boolean;
    description?: string;
    schema?: Json;
    example?: unknown;
  }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description?: string; headers?: Json; content?: Record<string, Media> }>;
  security?: Record<string, string[]>[];
  'x-possible-errors'?: { status: number; code: string; explanation: string }[];
}
interface Document {
  openapi: string;
  info: { title: string; version: string };
  servers: { url: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Json>; securitySchemes: Record<string, Json> };
}

const portage = SharedPortage.use('postgres');
let document: Document;
let operations: [name: string, path: string, operation: Operation][];
let validators: Ajv;

beforeAll(async () => {
  document = (await portage.get('/openapi.json', { authorization: undefined })).body as Document;
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) =>
        [`${method.toUpperCase()} ${path}`, path, operation] as [string, string, Operation],
    ),
  );
  // Schemas of OpenAPI have additional keywords. The service validates formats, this test does not.
  validators = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  for (const [name, schema] of Object.entries(document.components.schemas))
    validators.addSchema(withReferences(schema), `schema-${name}`);
});

/** A schema of the document with references to schemas that are compiled once each. */
const withReferences = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"schema-')) as object;

/** Compiles a schema of the document, with its references. */
const validatorOf = (schema: object): ValidateFunction => validators.compile(withReferences(schema));

function expectValid(what: string, schema: object, value: unknown): void {
  const validate = validatorOf(schema);
  validate(value);
  expect([what, validate.errors ?? []]).toEqual([what, []]);
}

/** The examples of a body in the document. */
function mediaOf(operation: Operation): [where: string, media: Media][] {
  return [
    ...Object.entries(operation.requestBody?.content ?? {}).map(
      ([type, media]) => [`request ${type}`, media] as [string, Media],
    ),
    ...Object.entries(operation.responses).flatMap(([status, { content = {} }]) =>
      Object.entries(content).map(([type, media]) => [`${status} ${type}`, media] as [string, Media]),
    ),
  ];
}

const examplesOf = ({ schema, example, examples = {} }: Media): unknown[] =>
  [
    example,
    ...((schema?.['examples'] as unknown[] | undefined) ?? []),
    ...Object.values(examples).map(({ value }) => value),
  ].filter((one) => one !== undefined);

describe('the OpenAPI document', () => {
  it('is OpenAPI 3.1 with the version of the release and the address of the service', () => {
    const { version } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as Json;
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(document.info).toMatchObject({ title: expect.any(String), version });
    expect(document.servers).toEqual([{ url: '/', description: expect.any(String) }]);
    expect(JSON.stringify(document)).not.toContain('"nullable"');
  });

  it('has the paths of the contract, which end with a slash', () => {
    const paths = Object.keys(document.paths).filter((path) => /^\/v\d/.test(path));
    expect(paths.length).toBeGreaterThan(15);
    expect(paths.filter((path) => !/[^/]\/$/.test(path))).toEqual([]);
    expect(paths).toEqual(
      expect.arrayContaining([
        '/v1/graphql/',
        '/v1/data-import/notes/create/',
        '/v2/data-import/accounts/{supplier}/{identifier}/',
      ]),
    );
  });

  it('has every status that can occur, with the headers of the response', () => {
    for (const [name, , { responses, requestBody, security }] of operations) {
      const isGuarded = security?.some((scheme) => 'token' in scheme) === true;
      const expected = ['400', '408', '413', '415', '431', '500', '503'];
      if (isGuarded) expected.push('401', '429');
      if (requestBody) expected.push('413', '415');
      expect([name, Object.keys(responses)]).toEqual([name, expect.arrayContaining(expected)]);
      for (const [status, { headers = {}, content = {} }] of Object.entries(responses)) {
        const names = Object.keys(headers);
        // Results are also CSV; deletions, and documents that the client has, are answered without a body.
        const types = ['204', '304'].includes(status)
          ? 0
          : name.endsWith('/results/') && status === '200'
            ? 2
            : 1;
        expect([name, status, Object.keys(content).length]).toEqual([name, status, types]);
        if (['408', '431'].includes(status)) continue;
        expect(names).toContain('X-Request-Id');
        expect([name, status, names.includes('Retry-After')]).toEqual([
          name,
          status,
          status === '429' || status === '503',
        ]);
      }
    }
  });

  it('lists the possible errors of each operation and of each field', () => {
    for (const [name, , { responses, 'x-possible-errors': errors = [] }] of operations) {
      expect([name, errors.length]).not.toEqual([name, 0]);
      for (const { status, code, explanation } of errors) {
        expect(Object.keys(responses)).toContain(String(status));
        expect([code, explanation]).toEqual([code, expect.stringMatching(/\w/)]);
      }
    }
    const { properties } = document.components.schemas['Customer'] as { properties: Record<string, Json> };
    expect(properties['landline']!['x-possible-errors']).toEqual(
      expect.arrayContaining(['invalid', 'max_length', 'invalid_phone_number']),
    );
  });

  it('describes every route that the API has for suppliers, and none of the console', () => {
    const mapped = [...portage.log('api').matchAll(/Mapped \{([^,]+), (\w+)\} route/g)].map(
      ([, path, method]) => `${method!} ${path!.replaceAll(/:(\w+)/g, '{$1}').replace(/\*$/, '{path}')}`,
    );
    expect(mapped.length).toBeGreaterThan(9);
    const described = operations.map(([name]) => name.replace(/\/$/, ''));
    const ofSuppliers = mapped.filter((route) => !route.includes(' /operator/'));
    expect(mapped.length - ofSuppliers.length).toBeGreaterThan(30);
    // Not of a controller.
    ofSuppliers.push('POST /v1/graphql');
    expect(described.sort()).toEqual(ofSuppliers.sort());
  });

  it('requires the token exactly where the API does, and documents the 401', () => {
    for (const [name, path, { security, responses }] of operations) {
      const guards = [path.includes('/data-import/') && 'token', path === '/metrics' && 'metrics'].filter(
        Boolean,
      );
      expect([name, security ?? []]).toEqual([name, guards.map((guard) => ({ [String(guard)]: [] }))]);
      expect([name, '401' in responses]).toEqual([name, guards.length > 0]);
    }
    expect(document.components.securitySchemes['token']).toMatchObject({
      in: 'header',
      name: 'Authorization',
    });
  });

  it('has an example for every body, and each is valid by its own schema', () => {
    let count = 0;
    for (const [name, , operation] of operations) {
      for (const [where, media] of mediaOf(operation)) {
        const examples = examplesOf(media);
        if (where.includes('json')) expect([name, where, examples.length]).not.toEqual([name, where, 0]);
        for (const example of examples) {
          count += 1;
          expectValid(`${name} ${where}`, media.schema ?? {}, example);
        }
      }
      for (const { name: parameter, schema, example } of operation.parameters ?? [])
        if (example !== undefined) expectValid(`${name} ${parameter}`, schema ?? {}, example);
    }
    expect(count).toBeGreaterThan(20);
  });
});

describe('the OpenAPI document compared with the API', () => {
  interface NamedExample {
    operation: string;
    example: string;
    value: unknown;
  }

  /** The examples of request bodies of some paths, with the supplier and number of a test instead of their own. */
  const requestExamples = (path: RegExp, supplier: string, number = 'A-100231'): NamedExample[] =>
    operations
      .filter(([, of]) => path.test(of))
      .flatMap(([operation, , { requestBody }]) =>
        Object.entries(requestBody?.content['application/json']?.examples ?? {}).map(
          ([example, { value }]) => ({
            operation,
            example,
            value: JSON.parse(
              JSON.stringify(value)
                .replaceAll('"DEMO"', JSON.stringify(supplier))
                .replaceAll('"A-100231"', JSON.stringify(number)),
            ) as unknown,
          }),
        ),
      );

  const send = async ({ operation, value }: NamedExample) => portage.post(operation.split(' ')[1]!, value);

  it.each(['core', 'gb-energy'])(
    'has accounts that a supplier with the profile %s can import',
    async (profile) => {
      const supplier =
        profile === 'core' ? portage.supplier : await portage.addSupplier('GB', '--profile', profile);
      const isOfProfile = ({ example }: NamedExample) => profile === 'core' || example === profile;
      const examples = requestExamples(/\/accounts\/(validate\/)?$|validate-account/, supplier).filter(
        isOfProfile,
      );
      expect(examples.length).toBeGreaterThan(2);
      for (const one of examples.filter(({ operation }) => operation.includes('validate'))) {
        const { status, body, headers } = await send(one);
        const { code, errors } = body as Json;
        expect([one.operation, one.example, status, code, errors]).toEqual([
          one.operation,
          one.example,
          200,
          undefined,
          undefined,
        ]);
        expect(headers['ignored-fields']).toBeUndefined();
      }
      const scheduled = requestExamples(/v2.*\/accounts\/$/, supplier, `scheduled-${profile}`).find(
        ({ example }) => example === (profile === 'core' ? 'account' : profile),
      )!;
      expect((await send(scheduled)).status).toBe(201);
    },
  );

  it('has requests about an imported account that the API performs', async () => {
    await portage.importAccount('of-examples');
    const examples = requestExamples(
      /(notes|transactions|statements)\/create/,
      portage.supplier,
      'of-examples',
    );
    expect(examples.map(({ operation }) => operation)).toHaveLength(3);
    for (const one of examples) {
      const { status, text } = await send(one);
      expect([one.operation, status, text]).toEqual([one.operation, 201, text]);
    }
  });

  it('has requests for staged accounts that the API performs', async () => {
    const staged = requestExamples(/create-or-update/, portage.supplier, 'staged').find(
      ({ example }) => example === 'account',
    )!;
    expect((await send(staged)).status).toBe(201);
    const processed = requestExamples(/account-import-process\/process/, portage.supplier, 'staged');
    expect(processed.map(({ example }) => example).sort()).toEqual(['create', 'dry run']);
    for (const name of ['dry run', 'create']) {
      const { status, body } = await send(processed.find(({ example }) => example === name)!);
      expect([name, status, (body as Json)['code']]).toEqual(
        name === 'create' ? [name, 201, undefined] : [name, 400, '400'],
      );
    }
  });

  /** The differences between the document and an answer that no document describes. */
  const differencesOf = (status: number, body: unknown, headers: Record<string, string> = {}): string[] =>
    new DocumentedAnswers(document as unknown as AnswerDocument).differences(
      'GET',
      `/v2/data-import/accounts/${portage.supplier}/any/`,
      {
        status,
        body,
        text: '',
        bytes: Buffer.alloc(0),
        headers: { 'content-type': 'application/json', ...headers },
      },
    );

  it('fails a test by an answer with another status, member, code, header or content type', () => {
    const body = { code: 'not_found', detail: 'There is none.' };
    expect(differencesOf(404, body)).toEqual([]);
    expect(differencesOf(418, body)).toEqual(['The status 418 is not documented.']);
    expect(differencesOf(404, { ...body, extra: 1 })).toEqual([expect.stringContaining('unevaluated')]);
    expect(differencesOf(404, { code: 'not_found' })).toEqual([expect.stringContaining('detail')]);
    expect(differencesOf(404, { ...body, code: 'parse_error' })).toEqual([
      'The code parse_error is not among the possible errors with the status 404.',
    ]);
    expect(differencesOf(404, body, { 'payload-digest': 'x' })).toEqual([
      'The header payload-digest is not documented.',
    ]);
    expect(differencesOf(404, body, { 'content-type': 'text/html' })).toEqual([
      'The content type text/html is not documented.',
    ]);
  });

  it('is served as a page at /docs and as YAML', async () => {
    const page = await portage.get('/docs', { authorization: undefined });
    expect([page.status, page.headers['content-type']]).toEqual([200, expect.stringContaining('text/html')]);
    expect(page.text).toContain('Portage API');
    for (const [, script] of page.text.matchAll(/<script src="\.?\/?([^"]+)"/g)) {
      const path = script!.startsWith('docs/') ? `/${script!}` : `/docs/${script!}`;
      expect([path, (await portage.get(path)).status]).toEqual([path, 200]);
    }
    const yaml = await portage.get('/openapi.yaml');
    expect([yaml.status, yaml.text]).toEqual([200, expect.stringMatching(/^openapi: 3\.1/)]);
  });

  it.each(['/openapi.json', '/openapi.yaml', '/asyncapi.json', '/v2/data-import/error-codes/'])(
    'is bytes that were made and compressed once: %s',
    async (path) => {
      const { headers, status } = await portage.get(path, { 'accept-encoding': 'gzip' });
      expect([status, headers['content-encoding'], headers['cache-control'], headers['vary']]).toEqual([
        200,
        'gzip',
        'no-cache',
        'Accept-Encoding',
      ]);
      const plain = await portage.get(path, { 'accept-encoding': 'identity' });
      expect([plain.headers['content-encoding'], plain.headers['etag']]).toEqual([
        undefined,
        headers['etag'],
      ]);
      const again = await portage.get(path, { 'if-none-match': `"other", ${String(headers['etag'])}` });
      expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', headers['etag']]);
    },
  );

  it('costs a stranger no more than other small answers, and its page has no copy of it', async () => {
    const measure = async (path: string) => {
      const start = performance.now();
      const headers = { authorization: undefined, 'accept-encoding': 'gzip' };
      for (let round = 0; round < 20; round += 1) await portage.get(path, headers);
      return performance.now() - start;
    };
    await measure('/openapi.yaml');
    expect((await measure('/openapi.yaml')) / (await measure('/health/live'))).toBeLessThan(20);
    const script = await portage.get('/docs/swagger-ui-init.js', { authorization: undefined });
    expect([script.status, script.text.length < 5_000]).toEqual([200, true]);
    expect(script.text).toContain('"swaggerUrl": "/openapi.json"');
  });
});

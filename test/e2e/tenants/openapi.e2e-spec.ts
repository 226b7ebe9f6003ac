import Ajv, { type ValidateFunction } from 'ajv';
import { SharedPortage } from '@portage/testing';

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
  responses: Record<string, { description?: string; content?: Record<string, Media> }>;
  security?: Record<string, string[]>[];
}
interface Document {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Json>; securitySchemes: Record<string, Json> };
}

let portage: SharedPortage;
let document: Document;
let operations: [name: string, path: string, operation: Operation][];
let validators: Ajv;

beforeAll(async () => {
  portage = await SharedPortage.join('postgres');
  document = (await portage.get('/openapi.json', { authorization: undefined })).body as Document;
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) =>
        [`${method.toUpperCase()} ${path}`, path, operation] as [string, string, Operation],
    ),
  );
  // Schemas of OpenAPI 3.0 have additional keywords. The service validates formats, this test does not.
  validators = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  validators.addSchema({ $id: 'document', components: toJsonSchema(document.components) as object });
});
afterAll(async () => {
  await portage.leave();
});

/** Converts `nullable` beside references, which the validator supports beside a `type` only. */
function toJsonSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toJsonSchema);
  if (typeof value !== 'object' || value === null) return value;
  const { nullable, ...rest } = Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, toJsonSchema(member)]),
  );
  if (nullable !== true) return rest;
  return 'type' in rest ? { ...rest, nullable } : { anyOf: [rest, { type: 'null' }] };
}

/** Compiles a schema of the document, with its references. */
function validatorOf(schema: object): ValidateFunction {
  const text = JSON.stringify(toJsonSchema(schema)).replaceAll('"#/', '"document#/');
  return validators.compile(JSON.parse(text) as object);
}

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
  [example, schema?.['example'], ...Object.values(examples).map(({ value }) => value)].filter(
    (one) => one !== undefined,
  );

describe('the OpenAPI document', () => {
  it('is OpenAPI 3.0 with a title and a version', () => {
    expect(document.openapi).toMatch(/^3\.0\.\d+$/);
    expect(document.info).toMatchObject({ title: expect.any(String), version: expect.any(String) });
  });

  it('describes every route that the API has', () => {
    const mapped = [...portage.log('api').matchAll(/Mapped \{([^,]+), (\w+)\} route/g)].map(
      ([, path, method]) => `${method!} ${path!.replaceAll(/:(\w+)/g, '{$1}')}`,
    );
    expect(mapped.length).toBeGreaterThan(9);
    const described = operations.map(([name]) => name.replace(/\/$/, ''));
    expect(described.sort()).toEqual(mapped.sort());
  });

  it('names each operation once, with a summary and a description of each answer', () => {
    const ids = operations.map(([, , { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(operations.length);
    for (const [name, , { operationId, summary, responses }] of operations) {
      expect([name, operationId, summary]).toEqual([name, expect.any(String), expect.any(String)]);
      expect([name, Object.keys(responses).some((status) => status.startsWith('2'))]).toEqual([name, true]);
      for (const [status, { description }] of Object.entries(responses)) {
        expect(status).toMatch(/^[2-5]\d\d$/);
        expect([name, status, description]).toEqual([name, status, expect.stringMatching(/./)]);
      }
    }
  });

  it('declares every parameter of a path, and no other', () => {
    for (const [name, path, { parameters = [] }] of operations) {
      const inPath = parameters.filter((parameter) => parameter.in === 'path');
      expect([name, inPath.map((parameter) => parameter.name)]).toEqual([
        name,
        [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter),
      ]);
      for (const parameter of inPath) expect(parameter.required).toBe(true);
      for (const { schema, description } of parameters) {
        expect(schema).toEqual(expect.any(Object));
        expect(description).toEqual(expect.any(String));
      }
    }
  });

  it('has no dangling references, and only valid schemas', () => {
    const text = JSON.stringify(document);
    for (const [, reference] of text.matchAll(/"\$ref":"([^"]*)"/g)) {
      const name = /^#\/components\/schemas\/(\w+)$/.exec(reference!)?.[1];
      expect([reference, Object.keys(document.components.schemas)]).toEqual([
        reference,
        expect.arrayContaining([name]),
      ]);
    }
    for (const name of Object.keys(document.components.schemas))
      expect(() => validatorOf({ $ref: `#/components/schemas/${name}` })).not.toThrow();
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
  /** Replaces the supplier DEMO of the examples. */
  const ofSupplier = (example: unknown): unknown =>
    JSON.parse(JSON.stringify(example).replaceAll('"DEMO"', JSON.stringify(portage.supplier)));

  it('has examples that the API accepts', async () => {
    const bodies = operations.flatMap(([name, path, { requestBody }]) =>
      path.includes('/accounts')
        ? Object.values(requestBody?.content ?? {}).flatMap((media) =>
            examplesOf(media).map((example) => [name, ofSupplier(example)] as const),
          )
        : [],
    );
    expect(bodies.length).toBeGreaterThan(1);
    for (const [name, example] of bodies) {
      const { status, body, headers } = await portage.post('/v2/data-import/accounts/validate/', example);
      expect([name, status, body, headers['ignored-fields']]).toEqual([name, 200, {}, undefined]);
    }
  });

  const schemaOf = (name: string, status: number): Json => {
    const operation = operations.find(([one]) => one.replace(/\/$/, '') === name);
    if (!operation) throw new Error(`The document does not describe ${name}.`);
    return operation[2].responses[String(status)]?.content?.['application/json']?.schema ?? {};
  };

  it('describes the answers of the API', async () => {
    expect((await portage.schedule(portage.account('described'))).status).toBe(201);
    await portage.waitFor('PROCESSED', 1);
    const { supplier } = portage;
    const lists = ['all', 'pending', 'imported'].map(
      (kind) => `/v1/data-import/${kind}-account-import-processes`,
    );
    const answers: [name: string, path: string, status: number][] = [
      [
        '/v2/data-import/accounts/{supplier}/{identifier}',
        `/v2/data-import/accounts/${supplier}/described/`,
        200,
      ],
      [
        '/v2/data-import/accounts/{supplier}/{identifier}',
        `/v2/data-import/accounts/${supplier}/never/`,
        404,
      ],
      [
        '/v1/data-import/account-transfer-status/{supplier}/{accountNumber}',
        `/v1/data-import/account-transfer-status/${supplier}/described/`,
        200,
      ],
      ...lists.flatMap((path): [string, string, number][] => [
        [`${path}/{supplier}`, `${path}/${supplier}/`, 200],
        [`${path}/{supplier}`, `${path}/${supplier}/?limit=0`, 400],
        [`${path}/{supplier}`, `${path}/UNKNOWN/`, 404],
      ]),
      ['/health/live', '/health/live', 200],
      ['/health/ready', '/health/ready', 200],
    ];
    for (const [name, path, status] of answers) {
      const answer = await portage.get(path);
      expect([path, answer.status]).toEqual([path, status]);
      expectValid(path, schemaOf(`GET ${name}`, status), answer.body);
    }
    const faulty = await portage.post('/v2/data-import/accounts/validate/', {
      customers: [{ landline: '01234' }],
    });
    expectValid('a refusal', schemaOf('POST /v2/data-import/accounts/validate', 400), faulty.body);
    expect(faulty.status).toBe(400);
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
    expect([yaml.status, yaml.text]).toEqual([200, expect.stringMatching(/^openapi: 3\.0/)]);
  });
});

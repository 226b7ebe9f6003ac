import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import type { Answer } from './answer';

type Json = Record<string, unknown>;
interface DocumentedResponse {
  headers?: Json;
  content?: Record<string, { schema?: Json }>;
}
interface DocumentedOperation {
  responses: Record<string, DocumentedResponse>;
  requestBody?: { content: Record<string, { schema?: Json }> };
  'x-possible-errors': { status: number; code: string }[];
}

/** The part of an OpenAPI document that answers are compared with. */
export interface AnswerDocument {
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: Record<string, Json> };
}

/** Headers of answers that an operation must document. Others belong to HTTP, or to the security of browsers. */
const DOCUMENTED_HEADERS =
  /^(x-request-id|ratelimit.*|retry-after|www-authenticate|link|ignored-.*|idempotent-.*|payload-digest)$/;

const PATH_OF_API = /^\/(v1|v2|health|metrics)(\/|$)/;

/** The names of the schemas that a part of the document refers to, directly or through others. */
function reachableSchemas({ components }: AnswerDocument, from: unknown): Set<string> {
  const names = new Set<string>();
  const pending = [from];
  for (const part of pending)
    for (const [, name] of JSON.stringify(part ?? null).matchAll(/"#\/components\/schemas\/(\w+)"/g))
      if (!names.has(name!)) {
        names.add(name!);
        pending.push(components.schemas[name!]);
      }
  return names;
}

/** Compares answers with the OpenAPI document of a running API. */
export class DocumentedAnswers {
  private readonly validators = new Ajv2020({
    strict: false,
    // The specification of the document checks its schemas, which takes seconds.
    validateSchema: false,
    // Calendar dates and RFC 3339, as the contract writes them.
    formats: {
      date: /^\d{4}-\d{2}-\d{2}$/,
      'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/,
      email: true,
      uuid: true,
      uri: true,
    },
  });
  private readonly compiled = new Map<string, ValidateFunction>();
  private readonly routes: { pattern: RegExp; operations: Record<string, DocumentedOperation> }[];

  constructor(document: AnswerDocument) {
    const operations = Object.values(document.paths).flatMap((one) => Object.values(one));
    const ofRequests = reachableSchemas(
      document,
      operations.map(({ requestBody }) => requestBody),
    );
    const schemas = Object.fromEntries(
      Object.entries(document.components.schemas).map(([name, schema]) => [
        name,
        // An answer has no members that the document does not describe. Requests may.
        ofRequests.has(name) ? schema : closed(schema),
      ]),
    );
    this.validators.addSchema({ $id: 'document', components: { schemas } });
    this.routes = Object.entries(document.paths)
      .map(([path, one]) => ({
        pattern: new RegExp(`^${path.replace(/\/$/, '').replaceAll(/\{\w+\}/g, '[^/]+')}/*$`),
        // A path without parameters is meant before one with them.
        parameters: path.split('{').length,
        operations: one,
      }))
      .sort((one, other) => one.parameters - other.parameters);
  }

  /** The reasons why the document does not describe an answer; empty if it does. */
  differences(method: string, address: string, answer: Answer): string[] {
    const path = address.split('?', 1)[0]!;
    const route = this.routes.find(({ pattern }) => pattern.test(path));
    const operation = route?.operations[method.toLowerCase()];
    if (!operation) {
      // Methods and addresses that the API does not have are answered with an ordinary error.
      const isError = PATH_OF_API.test(path) && answer.status >= 400 && isJson(answer) && method !== 'HEAD';
      return isError
        ? this.schemaErrors('an error', { $ref: '#/components/schemas/Error' }, answer.body)
        : [];
    }
    const response = operation.responses[String(answer.status)];
    if (!response) return [`The status ${answer.status} is not documented.`];
    return [
      ...undocumentedHeaders(response, answer),
      ...this.bodyErrors(`${method} ${path} ${answer.status}`, response, answer),
      ...undocumentedCode(operation, answer),
    ];
  }

  private bodyErrors(what: string, { content = {} }: DocumentedResponse, answer: Answer): string[] {
    const type = String(answer.headers['content-type'] ?? '').split(';', 1)[0]!;
    const hasBody = answer.text !== '' || type !== '';
    if (!hasBody && Object.keys(content).length === 0) return [];
    const media = content[type];
    if (!media) return [`The content type ${type} is not documented.`];
    if (!isJson(answer)) return [];
    // A compressed body, or one that a test asked for in bytes, cannot be read here.
    if (answer.headers['content-encoding'] !== undefined) return [];
    return this.schemaErrors(what, media.schema ?? {}, answer.body);
  }

  private schemaErrors(what: string, schema: Json, body: unknown): string[] {
    const text = JSON.stringify(closed(schema)).replaceAll('"#/', '"document#/');
    let validate = this.compiled.get(text);
    if (!validate) {
      validate = this.validators.compile(JSON.parse(text) as object);
      this.compiled.set(text, validate);
    }
    if (validate(body)) return [];
    return [`The body of ${what} is not as documented: ${this.validators.errorsText(validate.errors)}.`];
  }
}

function isJson({ headers }: Answer): boolean {
  return String(headers['content-type'] ?? '').startsWith('application/json');
}

function undocumentedHeaders({ headers = {} }: DocumentedResponse, answer: Answer): string[] {
  const documented = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  return Object.keys(answer.headers)
    .filter((name) => DOCUMENTED_HEADERS.test(name) && !documented.has(name))
    .map((name) => `The header ${name} is not documented.`);
}

/** The code of an error is one of `x-possible-errors` for its status. */
function undocumentedCode(operation: DocumentedOperation, { status, body }: Answer): string[] {
  const { code, non_field_errors: nested, data } = (body ?? {}) as Json;
  const own = code ?? (nested as Json | undefined)?.['code'];
  if (status < 400 || data === null || typeof own !== 'string') return [];
  const isListed = operation['x-possible-errors'].some((one) => one.status === status && one.code === own);
  return isListed ? [] : [`The code ${own} is not among the possible errors with the status ${status}.`];
}

/** The schema, whose objects have no other members than those that it names. */
function closed(schema: unknown): Json {
  if (Array.isArray(schema)) return schema.map(closed) as unknown as Json;
  if (typeof schema !== 'object' || schema === null) return schema as Json;
  const copy = Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, closed(part)]));
  const isOpen =
    'additionalProperties' in copy || !('properties' in copy) || typeof copy['type'] === 'undefined';
  return isOpen ? copy : { ...copy, unevaluatedProperties: false };
}

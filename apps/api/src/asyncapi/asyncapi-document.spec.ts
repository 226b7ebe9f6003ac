import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVENT_TYPE_NAMES } from '@portage/events';
import { REPOSITORY } from '@portage/testing';
import Ajv, { type AnySchema } from 'ajv';
import { buildAsyncApiDocument } from './asyncapi-document';

interface Message {
  name: string;
  headers?: AnySchema;
  payload: AnySchema;
  examples: { headers?: object; payload: object }[];
}

interface Document {
  components: { messages: Record<string, Message>; schemas: Record<string, object> };
  channels: Record<string, { messages: Record<string, { $ref: string }> }>;
  servers?: Record<string, { host: string }>;
}

/** The official schema. */
const OFFICIAL = join(REPOSITORY, 'node_modules', '@asyncapi', 'specs', 'schemas', '3.0.0-without-$id.json');

const build = (hosts: string[] = []) => buildAsyncApiDocument(hosts) as Document;

function errorsOf(document: object): unknown {
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  const validate = ajv.compile(JSON.parse(readFileSync(OFFICIAL, 'utf8')) as AnySchema);
  return validate(document) ? [] : validate.errors;
}

describe('the AsyncAPI document', () => {
  it('is valid by the official schema of AsyncAPI 3.0, which finds errors', () => {
    expect(errorsOf(build())).toEqual([]);
    expect(errorsOf(build(['data.example.com', '*.example.com', 'import.example.com']))).toEqual([]);
    expect(errorsOf({ ...build(), operations: { readEvents: { action: 'publish' } } })).not.toEqual([]);
  });

  it('has each type of event in the feed and as a webhook, with an example that is valid by its schema', () => {
    const { components, channels } = build();
    for (const [channel, form] of [
      ['events', 'feed'],
      ['webhooks', 'webhook'],
    ] as const) {
      expect(Object.keys(channels[channel]!.messages)).toEqual(EVENT_TYPE_NAMES);
      for (const type of EVENT_TYPE_NAMES) {
        expect(channels[channel]!.messages[type]).toEqual({ $ref: `#/components/messages/${form}.${type}` });
        const message = components.messages[`${form}.${type}`]!;
        const ajv = new Ajv({ strict: false, validateFormats: false });
        const resolved = JSON.parse(
          JSON.stringify({ ...(message.payload as object), components: { schemas: components.schemas } }),
        ) as AnySchema;
        const validate = ajv.compile(resolved);
        for (const { payload, headers } of message.examples) {
          expect([validate(payload), validate.errors]).toEqual([true, null]);
          if (message.headers) expect(ajv.compile(message.headers)(headers)).toBe(true);
        }
      }
    }
  });

  it('names the public hosts of the service', () => {
    expect(build().servers).toBeUndefined();
    expect(Object.values(build(['data.example.com']).servers ?? {})).toMatchObject([
      { host: 'data.example.com' },
    ]);
  });
});

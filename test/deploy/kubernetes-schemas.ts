import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv, { type AnySchemaObject, type ErrorObject } from 'ajv';
import type { Document } from './deployment';

const SCHEMAS = 'kubernetes-schemas';
const { definitions } = JSON.parse(readFileSync(join(__dirname, `${SCHEMAS}.json`), 'utf8')) as {
  definitions: Record<string, AnySchemaObject>;
};
const ajv = new Ajv({ allErrors: true, allowUnionTypes: true }).addSchema({ $id: SCHEMAS, definitions });

/**
 * The faults of a document by the schema of its kind, with the place of each. Unknown fields are faults, which the
 * Kubernetes API would drop.
 */
export function schemaFaults(document: Document): string[] {
  const { apiVersion, kind, metadata } = document;
  const name = `${apiVersion} ${kind}`;
  if (!(name in definitions)) return [`No schema is known for ${name}.`];
  // In a JSON pointer, ~1 is a slash.
  const validate = ajv.getSchema(
    `${SCHEMAS}#/definitions/${encodeURIComponent(name.replaceAll('/', '~1'))}`,
  )!;
  if (validate(document) === true) return [];
  return validate.errors!.map((error) => `${kind} ${metadata.name}: ${describe(error)}`);
}

function describe({ instancePath, message, params }: ErrorObject): string {
  return `${instancePath} ${message} ${JSON.stringify(params)}`;
}

import { schemaKeywordsOf } from './schema-keywords';
/** A document with schemas, as far as it is needed here. */
interface Document {
  paths: object;
  components?: { schemas?: Record<string, unknown> };
}

/** Leaves out the schemas that no operation refers to, directly or through others, and sorts the others by name. */
export function keepUsedSchemas(document: Document): void {
  const { schemas = {} } = document.components ?? {};
  const names = new Set<string>();
  const pending: unknown[] = [document.paths];
  for (const part of pending)
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (names.has(name)) continue;
      names.add(name);
      pending.push(schemas[name]);
    }
  const used = [...names]
    .sort()
    .map((name) => [name, { ...(schemas[name] as object), ...schemaKeywordsOf(name) }] as const);
  for (const [name, schema] of used) requireTypes(name, schema);
  document.components = {
    ...document.components,
    schemas: Object.fromEntries(used),
  };
}

/**
 * A property whose type TypeScript does not emit, such as `string | null`, is an object without members in the document,
 * and `Record<string, never> | null` in the client.
 *
 * @throws Error that names the property
 */
function requireTypes(name: string, schema: object): void {
  const { properties = {} } = schema as { properties?: Record<string, Record<string, unknown>> };
  for (const [property, { type, ...keywords }] of Object.entries(properties)) {
    const isObject = type === 'object' || (Array.isArray(type) && type.includes('object'));
    if (
      isObject &&
      !Object.keys(keywords).some((keyword) => /propert|^allOf$|^oneOf$|^anyOf$/i.test(keyword))
    )
      throw new Error(
        `The property ${property} of the schema ${name} is an object without members: give its decorator a type, as in ` +
          `@ApiProperty({ type: 'string', nullable: true }).`,
      );
  }
}

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
    .map((name) => [name, { ...(schemas[name] as object), ...schemaKeywordsOf(name) }]);
  document.components = {
    ...document.components,
    schemas: Object.fromEntries(used) as Record<string, unknown>,
  };
}

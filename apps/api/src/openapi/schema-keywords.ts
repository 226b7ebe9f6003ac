const keywordsOfSchemas = new Map<string, object>();

/** Adds keywords of JSON Schema to the schema of a class, which its properties cannot say. */
export function SchemaKeywords(keywords: object): ClassDecorator {
  return (type) => {
    keywordsOfSchemas.set(type.name, keywords);
  };
}

/** The keywords that the class of a schema adds. */
export function schemaKeywordsOf(name: string): object {
  return keywordsOfSchemas.get(name) ?? {};
}

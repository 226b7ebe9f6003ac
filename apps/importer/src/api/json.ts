export type JsonObject = Record<string, unknown>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The field's text, or undefined when there is no such field or it is not text. */
export function textField(object: unknown, name: string): string | undefined {
  const value = isJsonObject(object) ? object[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** The value of a JSON text; undefined when it is none. */
export function fromJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

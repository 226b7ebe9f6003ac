/** The content of a response with a schema of the document, and an example of it. */
export const jsonContent = (schema: string, example: object) => ({
  'application/json': { schema: { $ref: `#/components/schemas/${schema}` }, example },
});

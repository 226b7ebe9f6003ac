// npm run build:types: generates the types of packages/client from the OpenAPI document.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';

const TYPES = {
  'dist/openapi.json': 'packages/client/src/generated/api.ts',
};

for (const [document, output] of Object.entries(TYPES)) {
  const types = await openapiTS(JSON.parse(readFileSync(document, 'utf8')), {
    alphabetize: true,
    // Without it, fields with a default are required also in requests.
    defaultNonNullable: false,
    // A type for each schema, with its name.
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
  });
  mkdirSync(dirname(output), { recursive: true });
  writeFileSync(output, `// Generated from ${document}.\n${astToString(types)}`);
}

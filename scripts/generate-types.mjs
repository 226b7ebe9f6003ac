// node scripts/generate-types.mjs [DOCUMENT TYPES]...: generates the types of OpenAPI documents.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';

const args = process.argv.slice(2);
while (args.length > 0) {
  const [document, output] = args.splice(0, 2);
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

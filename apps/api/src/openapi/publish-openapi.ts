import { platformTokenPaths } from '../platform-token/platform-token.openapi';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { type Config, readRelease } from '@portage/platform';
import type { FastifyInstance } from 'fastify';
import { dump } from 'js-yaml';
import { sendDocument, storeFile } from '../http/stored-file';
import { JSON_TYPE } from '../http/streamed-answer';
import { ErrorBody } from './errors.dto';
import { completeOperation, type Operation } from './complete-operation';
import { describePath } from './path-parameters';
import { schemas } from './schemas';
import { keepUsedSchemas } from './used-schemas';

const JSON_PATH = '/openapi.json';

const TOKEN_GUIDE = `Obtain a token with the GraphQL mutation at \`POST /v1/graphql/\`:

    mutation { obtainPlatformToken(input: { APIKey: "..." }) { token refreshToken refreshExpiresIn payload } }

and send it with every request as \`Authorization: Token <token>\`.`;

/** Subjects of operations. */
const TAGS: Readonly<Record<string, string>> = {
  Tokens: 'Access tokens, for an API key or a refresh token.',
  Accounts: 'Validation, scheduling, status and cancellation of accounts.',
  'Import processes': 'Lists of import processes, and the status of an account in v1.',
  'After the import': 'Additions to imported accounts.',
  'Staged accounts (v1)': 'Accounts that are stored first and created on request.',
  Submissions: 'Books of accounts that are uploaded, watched and reconciled as one unit.',
  Events: 'What happened to accounts and submissions, in an order that a reader can follow.',
  Webhooks: 'Events that are sent to a URL of the supplier.',
  Documents: 'Documents of imported accounts.',
  Suppliers: 'Settings of import suppliers.',
  'Error codes': 'Explanations of errors.',
  Operations: 'Health and metrics, for the operator.',
};

/**
 * Builds the OpenAPI document, with the paths of the contract, which end with a slash. Each operation has every status
 * that can occur.
 */
export function buildOpenApiDocument(
  app: NestFastifyApplication,
  { PUBLIC_HOSTS = [] }: Pick<Config, 'PUBLIC_HOSTS'>,
): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Portage: customer-migration data import')
    .setDescription(`Imports customer accounts that a supplier migrates onto the platform.\n\n${TOKEN_GUIDE}`)
    .setVersion(readRelease())
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0.html')
    .addServer('/', 'The service that serves this document')
    .addApiKey(
      { type: 'apiKey', in: 'header', name: 'Authorization', description: 'Token <ACCESS_TOKEN>' },
      'token',
    )
    .addBearerAuth({ type: 'http', description: 'The value of METRICS_TOKEN' }, 'metrics');
  for (const host of PUBLIC_HOSTS) builder.addServer(`https://${host}`, 'A public host name of the service');
  for (const [name, description] of Object.entries(TAGS).sort()) builder.addTag(name, description);
  const base = builder.build();
  const document = SwaggerModule.createDocument(app, base, {
    autoTagControllers: false,
    extraModels: [ErrorBody],
  });
  document.paths = Object.fromEntries(
    Object.entries({ ...platformTokenPaths, ...document.paths }).map(([path, operations]) => [
      contractPath(path),
      mapOperations(path, operations as Record<string, Operation>),
    ]),
  );
  document.components = {
    ...document.components,
    schemas: { ...document.components?.schemas, ...(schemas() as Record<string, never>) },
  };
  keepUsedSchemas(document);
  return document;
}

/** Paths of the contract end with a slash; those of operations do not. */
function contractPath(path: string): string {
  return /^\/v\d/.test(path) ? `${path.replace(/\/$/, '')}/` : path;
}

function mapOperations(path: string, operations: Record<string, Operation>): Record<string, Operation> {
  return Object.fromEntries(
    Object.entries(operations).map(([method, operation]) => [
      method,
      completeOperation(describePath(path, operation), method !== 'get'),
    ]),
  );
}

/**
 * Serves the OpenAPI document at /openapi.json and /openapi.yaml, and its reader at /docs. The document is made once, at the
 * start, because everybody may ask for it.
 */
export function publishOpenApi(app: NestFastifyApplication, config: Pick<Config, 'PUBLIC_HOSTS'>): void {
  const document = buildOpenApiDocument(app, config);
  const json = storeFile(JSON_TYPE, JSON.stringify(document));
  const yaml = storeFile('text/yaml; charset=utf-8', dump(document, { skipInvalid: true, noRefs: true }));
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  fastify.get(JSON_PATH, (request, reply) => sendDocument(json, request, reply));
  fastify.get('/openapi.yaml', (request, reply) => sendDocument(yaml, request, reply));
  // The page loads the document by its address. With a document of its own, its script would have a copy.
  const noDocument = () => undefined as unknown as OpenAPIObject;
  SwaggerModule.setup('docs', app, noDocument, {
    raw: false,
    swaggerUrl: JSON_PATH,
    customSiteTitle: 'Portage API',
  });
}

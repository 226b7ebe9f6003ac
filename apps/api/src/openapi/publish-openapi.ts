import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { platformTokenPaths } from '../platform-token/platform-token.openapi';
import { schemas } from './schemas';

const TOKEN_GUIDE = `Obtain a token with the GraphQL mutation at \`POST /v1/graphql/\`:

    mutation { obtainPlatformToken(input: { APIKey: "..." }) { token refreshToken refreshExpiresIn payload } }

and send it with every request as \`Authorization: Token <token>\`.`;

/** Builds the OpenAPI document. */
export function buildOpenApiDocument(app: NestFastifyApplication): OpenAPIObject {
  const base = new DocumentBuilder()
    .setTitle('Portage: customer-migration data import')
    .setDescription(`Imports customer accounts that a supplier migrates onto the platform.\n\n${TOKEN_GUIDE}`)
    .setVersion('2')
    .addApiKey(
      { type: 'apiKey', in: 'header', name: 'Authorization', description: 'Token <ACCESS_TOKEN>' },
      'token',
    )
    .addBearerAuth({ type: 'http', description: 'The value of METRICS_TOKEN' }, 'metrics')
    .build();
  const document = SwaggerModule.createDocument(app, base);
  document.paths = { ...platformTokenPaths, ...document.paths };
  document.components = {
    ...document.components,
    schemas: { ...document.components?.schemas, ...(schemas() as Record<string, never>) },
  };
  return document;
}

/** Serves the OpenAPI document at /openapi.json and /openapi.yaml, and its reader at /docs. */
export function publishOpenApi(app: NestFastifyApplication): void {
  SwaggerModule.setup('docs', app, () => buildOpenApiDocument(app), {
    jsonDocumentUrl: 'openapi.json',
    yamlDocumentUrl: 'openapi.yaml',
    customSiteTitle: 'Portage API',
  });
}

import { Injectable } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { type ErrorCode, readRelease } from '@portage/platform';
import { completeWith, type Operation } from '../../openapi/complete-operation';
import { describePath } from '../../openapi/path-parameters';
import { groupByStatus } from '../../openapi/possible-errors';
import { keepUsedSchemas } from '../../openapi/used-schemas';
import { ErrorBody } from '../../openapi/errors.dto';
import { OWN_ERRORS } from '../../http/endpoint';
import { type StoredFile, storeFile } from '../../http/stored-file';
import { JSON_TYPE } from '../../http/streamed-answer';
import { OPERATOR_PATH } from './operator-path';

const TAGS: Readonly<Record<string, string>> = {
  Sessions: 'Signing in and out.',
  Operators: 'Operators and their roles.',
  Overview:
    'All suppliers at a glance, what waits for an operator, and the health of what the service depends on.',
  Suppliers: 'Settings, counts and throughput of import suppliers.',
  'Import processes': 'Lists of processes, one process with its history, and actions on many.',
  Submissions: 'Progress, reconciliation, results, abortion and rollback.',
  Accounts: 'Imported accounts: read with an audit entry, and erased.',
  Documents: 'Missing and refused documents, which are inspected again.',
  'Payment instructions': 'Requests for payment instructions and their outcome.',
  'Account rules': 'Reference lists and settings of the installation.',
  'Queues and workers': 'Depth and rates of queues, and the workers that are alive.',
  Vendors: 'Circuit breakers and outcomes of payment vendors.',
  Webhooks: 'Webhook endpoints and their attempts.',
  Audit: 'Who changed what, and when.',
  'Organisations and keys': 'Organisations and their API keys.',
  Live: 'Server-sent events.',
};

/** Codes of every operation: of the hooks before a route, and of faults. */
const OF_ALL: readonly ErrorCode[] = ['parse_error', 'forbidden', 'error', 'unavailable'];
/** Codes of operations that require a session. */
const OF_SESSION: readonly ErrorCode[] = ['operator_session_required', 'operator_role_required'];
/** Codes of operations that change something. */
const OF_CHANGE: readonly ErrorCode[] = ['csrf_token_invalid', 'payload_too_large', 'unsupported_media_type'];

/** Builds the OpenAPI document of the operator API. */
export function buildOperatorDocument(app: NestFastifyApplication): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Portage: operator API')
    .setDescription(
      'For the console and for programs of operators. Requests need the cookie of a session, and changes also the header `X-CSRF-Token` of the session. It is not for suppliers: no API key is accepted.',
    )
    .setVersion(readRelease())
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0.html')
    .addServer('/', 'The service that serves this document')
    .addCookieAuth('portage_session', { type: 'apiKey', in: 'cookie' }, 'session');
  for (const [name, description] of Object.entries(TAGS).sort()) builder.addTag(name, description);
  const document = SwaggerModule.createDocument(app, builder.build(), {
    autoTagControllers: false,
    extraModels: [ErrorBody],
  });
  document.paths = Object.fromEntries(
    Object.entries(document.paths)
      .filter(([path]) => OPERATOR_PATH.test(path))
      .map(([path, operations]) => [
        path,
        Object.fromEntries(
          Object.entries(operations as Record<string, Operation>).map(([method, operation]) => [
            method,
            complete(method, describePath(path, operation)),
          ]),
        ),
      ]),
  );
  keepUsedSchemas(document);
  return document;
}

function complete(method: string, { [OWN_ERRORS]: own, ...operation }: Operation): Operation {
  const errors = groupByStatus([
    ...OF_ALL,
    ...(operation.security && operation.security.length > 0 ? OF_SESSION : []),
    ...(method === 'get' ? [] : OF_CHANGE),
    ...((own ?? []) as ErrorCode[]),
  ]);
  return completeWith(operation, errors);
}

/** The document of a running API. It is built at the first request of an operator, from the controllers of the application. */
@Injectable()
export class OperatorDocument {
  private app: NestFastifyApplication | undefined;
  private built: StoredFile | undefined;

  /** Called once, when the application exists. */
  publish(app: NestFastifyApplication): void {
    this.app = app;
  }

  file(): StoredFile {
    if (!this.app) throw new Error('The operator document is read before the application exists.');
    this.built ??= storeFile(JSON_TYPE, JSON.stringify(buildOperatorDocument(this.app)));
    return this.built;
  }
}

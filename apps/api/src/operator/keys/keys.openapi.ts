import { OperatorOperation } from '../openapi/describe-operation';
import * as form from '../openapi/schema-forms';

export const keySchemas: Readonly<Record<string, form.Schema>> = {
  Organisation: form.objectOf({ name: form.text, created_at: form.moment }),
  OrganisationList: form.objectOf({ items: form.listOf(form.ref('Organisation')) }),
  CreateOrganisationRequest: form.bodyOf({ name: form.described(form.text, '1 to 128 characters.') }),
  ApiKey: form.objectOf({
    prefix: form.text,
    organisation: form.text,
    created_at: form.moment,
    revoked_at: form.nullable(form.moment),
  }),
  ApiKeyList: form.objectOf({ items: form.listOf(form.ref('ApiKey')) }),
  IssuedApiKey: form.objectOf({ prefix: form.text, api_key: form.described(form.text, 'Shown once.') }),
};

const organisation = { name: 'Demo Energy', created_at: '2026-11-20T08:00:00.000000Z' };
const key = {
  ...{ prefix: 'pk_1f2e', organisation: 'Demo Energy', created_at: '2026-11-20T08:00:00.000000Z' },
  revoked_at: null,
};

const ofOrganisation = {
  tag: 'Organisations and keys',
  params: { name: { description: 'The name of the organisation', example: 'Demo Energy' } },
} as const;

/** Describes the list of organisations. */
export const DescribeOrganisations = () =>
  OperatorOperation({
    ...{
      tag: 'Organisations and keys',
      operationId: 'listOrganisations',
      summary: 'List organisations',
      role: 'viewer',
    },
    ...{
      answer: 'OrganisationList',
      answerDescription: 'All organisations.',
      example: { items: [organisation] },
    },
  });

/** Describes the creation of an organisation. */
export const DescribeCreateOrganisation = () =>
  OperatorOperation({
    ...{ tag: 'Organisations and keys', operationId: 'createOrganisation', role: 'admin', status: 201 },
    summary: 'Create an organisation',
    body: { schema: 'CreateOrganisationRequest', examples: { organisation: { name: 'Demo Energy' } } },
    ...{ answer: 'Organisation', answerDescription: 'The new organisation.', example: organisation },
    errors: ['validation_error', 'operation_refused'],
  });

/** Describes the keys of an organisation. */
export const DescribeApiKeys = () =>
  OperatorOperation({
    ...{ ...ofOrganisation, operationId: 'listApiKeys', role: 'viewer' },
    summary: 'List the API keys of an organisation, revoked ones included',
    ...{
      answer: 'ApiKeyList',
      answerDescription: 'The keys.',
      example: { items: [key] },
      errors: ['not_found'],
    },
  });

/** Describes the issue of a key. */
export const DescribeIssueApiKey = () =>
  OperatorOperation({
    ...{
      ...ofOrganisation,
      operationId: 'issueApiKey',
      summary: 'Issue an API key',
      role: 'admin',
      status: 201,
    },
    description: 'The key is shown here only. Each request issues another key.',
    ...{ answer: 'IssuedApiKey', answerDescription: 'The key.' },
    example: { prefix: 'pk_1f2e', api_key: 'pk_1f2e.0F3k' },
    errors: ['not_found'],
  });

/** Describes the revocation of a key. */
export const DescribeRevokeApiKey = () =>
  OperatorOperation({
    ...{ tag: 'Organisations and keys', operationId: 'revokeApiKey', role: 'admin', status: 204 },
    ...{ summary: 'Revoke an API key and its tokens at once', answerDescription: 'The key is revoked.' },
    params: { prefix: { description: 'The prefix of the key', example: 'pk_1f2e' } },
    errors: ['not_found'],
  });

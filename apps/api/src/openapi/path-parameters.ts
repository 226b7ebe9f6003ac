import { OWN_ERRORS } from '../http/endpoint';
import type { Operation } from './complete-operation';

interface PathParameter {
  description: string;
  example: string;
  /** What a 404 says unless the operation has its own description of one. */
  missing: string;
}

const SUPPLIER: PathParameter = {
  description: 'Import supplier code',
  example: 'DEMO',
  missing: 'There is no such import supplier.',
};
const WEBHOOK: PathParameter = {
  description: 'The id of the endpoint',
  example: '3',
  missing: 'There is no such webhook endpoint.',
};

/** The parameters of paths, by their name or by the segment before them and their name. */
const PARAMETERS: Readonly<Record<string, PathParameter>> = {
  code: SUPPLIER,
  supplier: SUPPLIER,
  accountNumber: {
    description: 'External account number, percent-encoded',
    example: 'A-100231',
    missing: 'There is no such account.',
  },
  path: {
    description: 'The path of the document, with its slashes as they are or percent-encoded',
    example: 'A-100231/2024-05.pdf',
    missing: 'There is no such import supplier.',
  },
  identifier: {
    description: 'External identifier, percent-encoded',
    example: 'A-100231',
    missing: 'There is no such import process.',
  },
  number: { description: 'The account number', example: 'A-9c41e07b', missing: 'There is no such account.' },
  list: { description: 'The name of the list', example: 'ledger_types', missing: 'There is no such list.' },
  prefix: {
    description: 'The prefix of the key',
    example: 'pk_1f2e',
    missing: 'There is no such API key that is valid.',
  },
  'operators/name': {
    description: 'The name of the operator',
    example: 'grace',
    missing: 'There is no such operator.',
  },
  'organisations/name': {
    description: 'The name of the organisation',
    example: 'Demo Energy',
    missing: 'There is no such organisation.',
  },
  'processes/id': {
    description: 'The id of the import process',
    example: '100231',
    missing: 'There is no such import supplier or import process.',
  },
  'queues/name': {
    description: 'The name of the queue',
    example: 'account-imports',
    missing: 'There is no such queue.',
  },
  'submissions/id': {
    description: 'The id of the submission',
    example: '17',
    missing: 'There is no such submission.',
  },
  'corrections/version': {
    description: 'The version of the process that the correction is',
    example: '2',
    missing: 'There is no such correction.',
  },
  'webhook-endpoints/id': WEBHOOK,
  'webhooks/id': WEBHOOK,
};

/** Describes the parameters of a path, and the 404 of an operation on it. */
export function describePath(path: string, operation: Operation): Operation {
  const found = [...path.matchAll(/([\w-]*)\}?\/\{(\w+)\}/g)].map(([, segment = '', name = '']) => {
    const parameter = PARAMETERS[name] ?? PARAMETERS[`${segment}/${name}`];
    if (!parameter) throw new Error(`path-parameters.ts does not describe {${name}} of ${path}.`);
    return [name, parameter] as const;
  });
  const last = found.at(-1);
  if (!last) return operation;
  const described = new Map(found);
  const parameters = (operation['parameters'] as { in: string; name: string; schema: object }[]).map(
    (parameter) => {
      const { description, example } = (parameter.in === 'path' && described.get(parameter.name)) || {};
      return description === undefined
        ? parameter
        : { ...parameter, description, schema: { ...parameter.schema, example } };
    },
  );
  if ('404' in operation.responses) return { ...operation, parameters };
  return {
    ...operation,
    parameters,
    responses: { ...operation.responses, '404': { description: last[1].missing } },
    [OWN_ERRORS]: [...((operation[OWN_ERRORS] ?? []) as string[]), 'not_found'],
  };
}

import { IMPORT_PARAMETERS, TASK_PARAMS } from '@portage/imports';
import { type FieldError, PortageError } from '@portage/platform';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type ImportParameters, routeConfigOf } from './route-config';

/** Errors of one answer. A body can have a hundred thousand unknown members. */
const MAX_ERRORS = 100;

const CODE = 'misplaced_parameter';

const WRITING_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'];

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Registers the hook that refuses parameters where they have no effect: the names of IMPORT_PARAMETERS in the wrong place
 * of a body, unknown members of `task_params`, and unknown query parameters of requests that write. Nothing of such a
 * request is done, because a client that has misplaced `is_dry_run` means a rehearsal.
 */
export function registerMisplacedParameters(
  fastify: FastifyInstance,
  appliesTo: (route: string) => boolean,
): void {
  fastify.addHook('preHandler', (request, _reply, done) => {
    const isChecked = WRITING_METHODS.includes(request.method) && appliesTo(request.routeOptions.url ?? '');
    done(isChecked ? refusalOf(request) : undefined);
  });
}

function refusalOf(request: FastifyRequest): PortageError | undefined {
  const { importParameters, isCheck, queryParameters = [] } = routeConfigOf(request);
  const unknown = isCheck
    ? []
    : Object.keys(request.query as object).filter((name) => !queryParameters.includes(name));
  const errors = [
    ...unknown.slice(0, MAX_ERRORS).map((name) => misplacedInQuery(name, queryParameters, importParameters)),
    ...findMisplaced(request.body, importParameters),
  ].slice(0, MAX_ERRORS);
  if (errors.length === 0) return undefined;
  return errors.some(({ code }) => code === CODE)
    ? new PortageError(CODE, 'A parameter has no effect where it is, so nothing was done.', { errors })
    : new PortageError('validation_error', 'The request is not valid.', { errors });
}

/** The parameters of an import that have no effect where they are, and unknown members of `task_params`. */
export function findMisplaced(body: unknown, takes: ImportParameters | undefined): FieldError[] {
  if (!isObject(body) || takes === 'class') return [];
  const { payload, task_params: taskParams } = body;
  const isWrapped = takes === 'task_params' && isObject(payload);
  const taken = takes === 'dry_run' ? 'dry_run' : isWrapped ? 'task_params' : undefined;
  const errors = IMPORT_PARAMETERS.filter((name) => name !== taken && Object.hasOwn(body, name)).map((name) =>
    misplaced(name, name, takes),
  );
  if (isObject(payload))
    for (const name of IMPORT_PARAMETERS)
      if (Object.hasOwn(payload, name)) errors.push(misplaced(`payload.${name}`, name, takes));
  if (!isWrapped || !isObject(taskParams)) return errors;
  for (const name of Object.keys(taskParams)) {
    if (TASK_PARAMS.includes(name) || errors.length >= MAX_ERRORS) continue;
    const attr = `task_params.${name}`;
    if (IMPORT_PARAMETERS.includes(name)) errors.push(misplaced(attr, name, takes));
    else errors.push({ attr, code: 'unknown_field', detail: 'This field is not part of the contract.' });
  }
  return errors;
}

function misplaced(attr: string, name: string, takes: ImportParameters | undefined): FieldError {
  return { attr, code: CODE, detail: `It has no effect here. ${placeOf(name, takes)}` };
}

function misplacedInQuery(
  name: string,
  known: readonly string[],
  takes: ImportParameters | undefined,
): FieldError {
  if (IMPORT_PARAMETERS.includes(name)) return misplaced(name, name, takes);
  const names = known.length === 0 ? 'none' : known.join(', ');
  return { attr: name, code: CODE, detail: `There is no such query parameter. This request has: ${names}.` };
}

/** Where a parameter belongs. */
function placeOf(name: string, takes: ImportParameters | undefined): string {
  if (takes === 'task_params' || takes === 'class') {
    const member = name === 'dry_run' ? 'is_dry_run' : name;
    const place = takes === 'class' ? '{"task_params": {' : '{"payload": ACCOUNT, "task_params": {';
    return name === 'task_params'
      ? `Send ${place}...}}.`
      : `Send it as task_params.${member}: ${place}"${member}": ...}}.`;
  }
  if (takes === 'dry_run' && (name === 'is_dry_run' || name === 'dry_run'))
    return 'Send it as dry_run, as a member of the body.';
  return name.endsWith('dry_run')
    ? 'This request has no dry run. A dry run is made with task_params.is_dry_run of POST /v2/data-import/accounts/, or with dry_run of POST /v1/data-import/transactions/create/ and /v1/data-import/account-import-process/process/.'
    : 'This request takes effect at once. task_params and the schedule window belong to POST /v2/data-import/accounts/ and POST /v2/data-import/submissions/.';
}

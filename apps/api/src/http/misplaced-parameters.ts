import { suggestField } from '@portage/account-schema';
import { ScheduleAccountRequest } from '@portage/account-schema/service';
import { findStrayMembers, parameterNames, parameterOf, TASK_PARAMS } from '@portage/imports';
import { type FieldError, isObject, PortageError } from '@portage/platform';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type ImportParameters, type PortageRouteConfig, routeConfigOf } from './route-config';

/** Errors of one answer. A body can have a hundred thousand unknown members. */
const MAX_ERRORS = 100;

const CODE = 'misplaced_parameter';

const WRITING_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Registers the hook that refuses what has no effect where it is: parameters of the import in the wrong place of a body,
 * in any spelling; members beside `payload` and in `task_params` that are unknown; members of a body where the route has
 * none; and unknown query parameters of requests that write. Nothing of such a request is done, because a client that
 * has misplaced `is_dry_run` means a rehearsal.
 *
 * @param appliesTo the routes for which parameters are looked for; the others have a class that refuses them
 */
export function registerMisplacedParameters(
  fastify: FastifyInstance,
  appliesTo: (route: string) => boolean,
): void {
  fastify.addHook('preHandler', (request, _reply, done) => {
    const isWriting = WRITING_METHODS.includes(request.method);
    done(isWriting ? refusalOf(request, appliesTo(request.routeOptions.url ?? '')) : undefined);
  });
}

function refusalOf(request: FastifyRequest, hasParameters: boolean): PortageError | undefined {
  const config = routeConfigOf(request);
  const errors = [
    ...(hasParameters ? findMisplacedInQuery(request.query as object, config) : []),
    ...(hasParameters ? findMisplaced(request.body, config) : []),
    ...findInEmptyBody(request.body, config),
  ].slice(0, MAX_ERRORS);
  if (errors.length === 0) return undefined;
  return errors.some(({ code }) => code === CODE)
    ? new PortageError(CODE, 'A parameter has no effect where it is, so nothing was done.', { errors })
    : new PortageError('validation_error', 'The request is not valid.', { errors });
}

function findMisplacedInQuery(
  query: object,
  { isCheck, queryParameters = [], importParameters }: PortageRouteConfig,
): FieldError[] {
  if (isCheck) return [];
  return Object.keys(query)
    .filter((name) => !queryParameters.includes(name))
    .slice(0, MAX_ERRORS)
    .map((name) => misplacedInQuery(name, queryParameters, importParameters));
}

/** The members of a body whose route has none, besides parameters of the import. */
function findInEmptyBody(body: unknown, { hasBody = true }: PortageRouteConfig): FieldError[] {
  if (hasBody || !isObject(body)) return [];
  return Object.keys(body)
    .filter((name) => parameterOf(name) === undefined)
    .slice(0, MAX_ERRORS)
    .map((attr) => ({ attr, code: 'unknown_field', detail: 'The body of this request has no members.' }));
}

/** Finds what has no effect in a body: misplaced parameters, and unknown members of the envelope of an account. */
export function findMisplaced(
  body: unknown,
  { importParameters: takes, isCheck = false, queryParameters = [] }: PortageRouteConfig,
): FieldError[] {
  if (!isObject(body) || takes === 'class') return [];
  const isWrapped = takes === 'task_params' && isObject(body['payload']);
  const taken = takes === 'dry_run' ? ['dry_run'] : isWrapped ? ['payload', 'task_params'] : [];
  const errors: FieldError[] = [];
  for (const { attr, parameter } of findStrayMembers(body, taken)) {
    if (errors.length === MAX_ERRORS) return errors;
    errors.push(parameter === undefined ? unknownField(attr) : misplaced(attr, parameter, takes));
  }
  if (!isCheck) for (const error of findInBody(body, queryParameters)) errors.push(error);
  const { task_params: taskParams } = body;
  if (!isWrapped || !isObject(taskParams)) return errors;
  for (const name of Object.keys(taskParams)) {
    if (TASK_PARAMS.includes(name) || errors.length >= MAX_ERRORS) continue;
    const attr = `task_params.${name}`;
    const isParameter = parameterOf(name) === name;
    errors.push(isParameter ? misplaced(attr, name, takes) : unknownField(attr));
  }
  return errors;
}

/** The parameters of the query that a body has, in any spelling. */
function findInBody(body: Record<string, unknown>, queryParameters: readonly string[]): FieldError[] {
  const names = parameterNames(queryParameters);
  return Object.keys(body).flatMap((attr) => {
    const name = parameterOf(attr, names);
    const detail = `It has no effect here. Send ${name} in the query of the URL.`;
    return name === undefined ? [] : [{ attr, code: CODE, detail }];
  });
}

function unknownField(attr: string): FieldError {
  const name = suggestField(attr, ScheduleAccountRequest);
  const suggestion = name === undefined ? '' : ` Did you mean \`${name}\`?`;
  return { attr, code: 'unknown_field', detail: `This field is not part of the contract.${suggestion}` };
}

function misplaced(attr: string, name: string, takes: ImportParameters | undefined): FieldError {
  return { attr, code: CODE, detail: `It has no effect here. ${placeOf(name, takes)}` };
}

function misplacedInQuery(
  name: string,
  known: readonly string[],
  takes: ImportParameters | undefined,
): FieldError {
  const parameter = parameterOf(name);
  if (parameter !== undefined) return misplaced(name, parameter, takes);
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

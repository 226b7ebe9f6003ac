import { IMPORT_PARAMETERS } from './task-params';

type Json = Record<string, unknown>;

/** A member of a body that has no effect where it is. */
export interface StrayMember {
  /** Its path. */
  attr: string;
  /** The parameter that it is or is meant to be; undefined if it is another member beside a `payload`. */
  parameter: string | undefined;
}

/** Characters of a name that is compared with parameters. Their names are shorter. */
const MAX_NAME_LENGTH = 64;

/** The names of parameters by {@link simplify}. */
export type ParameterNames = ReadonlyMap<string, string>;

/** Prepares names for {@link parameterOf}. */
export function parameterNames(names: readonly string[]): ParameterNames {
  return new Map(names.map((name) => [simplify(name), name]));
}

const PARAMETERS = parameterNames(IMPORT_PARAMETERS);

/** The parameter that a name means: names that differ in case and separators only mean the same one. */
export function parameterOf(name: string, parameters: ParameterNames = PARAMETERS): string | undefined {
  return name.length > MAX_NAME_LENGTH ? undefined : parameters.get(simplify(name));
}

/** Separators are all that is no letter of the parameters, so that `isDryRun`, `is-dry-run` and look-alikes are equal. */
function simplify(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^a-z]/g, '');
}

/**
 * Finds the members of a body that have no effect: parameters of the import in the wrong place, in any spelling, and all
 * members that are not taken beside a `payload` that is. A client that misspells `task_params` or `is_dry_run` means a
 * rehearsal, so that its request must not be an import.
 *
 * @param taken the parameters that the body may have, and `payload` where it may wrap an account
 */
export function* findStrayMembers(body: Json, taken: readonly string[]): Generator<StrayMember> {
  const isClosed = taken.includes('payload');
  for (const name of Object.keys(body)) {
    if (taken.includes(name)) continue;
    const parameter = parameterOf(name);
    if (isClosed || parameter !== undefined) yield { attr: name, parameter };
  }
  const { payload } = body;
  if (typeof payload !== 'object' || payload === null) return;
  for (const name of Object.keys(payload)) {
    const parameter = parameterOf(name);
    if (parameter !== undefined) yield { attr: `payload.${name}`, parameter };
  }
}

/** The roles of operators, each of which may do all that the roles before it may. */
export const OPERATOR_ROLES = ['viewer', 'operator', 'admin'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** True if `role` may do what `required` may. */
export function includesRole(role: OperatorRole, required: OperatorRole): boolean {
  return OPERATOR_ROLES.indexOf(role) >= OPERATOR_ROLES.indexOf(required);
}

/** True if `role` may read payloads, and sentences that may quote them. */
export const canReadPayloads = (role: OperatorRole): boolean => includesRole(role, 'operator');

export const isOperatorRole = (text: string): text is OperatorRole =>
  (OPERATOR_ROLES as readonly string[]).includes(text);

/** The sentence for a name that {@link isOperatorName} refuses. */
export const OPERATOR_NAME_RULE =
  'The name of an operator has 1 to 64 characters: letters a to z, digits, and . _ @ - after the first.';

/**
 * True for a valid name in lower case. Names are compared without case, so that two operators cannot have names that
 * look alike in the audit; other scripts are left out for the same reason.
 */
export function isOperatorName(name: string): boolean {
  return /^[a-z0-9][a-z0-9._@-]{0,63}$/.test(name);
}

import { hash } from 'node:crypto';
import type { SchemaContext } from './context';
import { NO_REFERENCES } from './rules/operator/references';
import { dayIn } from './rules/terms/calendar';
import { RULES_VERSION } from './rules-version';

/**
 * A digest of everything but the payload that decides whether rules hold: the release, the profile, region and settings
 * of the supplier, the operator's settings and lists, the limits of bodies, and the day. A payload that was valid in a
 * context is valid in every context with the same digest, see `readValidAccountInSteps`.
 *
 * The time of day is no part of it: rules compare it only with moments that must have passed. Whether undocumented
 * fields are accepted is no rule about the account, and is no part of it either.
 *
 * @returns a signed 64-bit number, in decimal
 */
export function digestContext({
  profile,
  region,
  timeZone,
  now,
  rules: { supplier = {}, instance = {}, references = NO_REFERENCES } = {},
  limits: { arrayItems, nesting },
}: SchemaContext): string {
  const today = dayIn(timeZone, now);
  const settings = JSON.stringify([
    profile,
    region,
    timeZone,
    today,
    arrayItems,
    nesting,
    supplier,
    instance,
  ]);
  const digest = hash('sha256', `${RULES_VERSION} ${references.digest} ${settings}`, 'buffer');
  return digest.readBigInt64BE().toString();
}

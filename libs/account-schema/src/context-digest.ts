import { createHash } from 'node:crypto';
import type { SchemaContext } from './context';
import { NO_REFERENCES, type References } from './rules/operator/references';
import { dayIn } from './rules/terms/calendar';
import { RULES_VERSION } from './rules-version';

/** Digests of the combinations of settings that were used with one version of the lists. */
const digests = new WeakMap<References, Map<string, string>>();

/** Combinations that are cached: a few for each supplier that sends accounts on one day. */
const MAX_CACHED = 10_000;

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
  const key = JSON.stringify([profile, region, timeZone, today, arrayItems, nesting, supplier, instance]);
  let cached = digests.get(references);
  if (!cached || cached.size >= MAX_CACHED) {
    cached = new Map<string, string>();
    digests.set(references, cached);
  }
  let digest = cached.get(key);
  if (digest === undefined) {
    const hash = createHash('sha256').update(`${RULES_VERSION} ${references.digest} ${key}`).digest();
    digest = hash.readBigInt64BE().toString();
    cached.set(key, digest);
  }
  return digest;
}

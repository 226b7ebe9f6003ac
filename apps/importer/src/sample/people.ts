import { addDays, day, type Day, momentAt } from './calendar';
import type { Random } from './random';
import { FAMILY_NAMES, GIVEN_NAMES, LANDLINES, MOBILES, TITLES } from './words';

/** The name and e-mail address of a person. */
export interface Person {
  title: string;
  givenName: string;
  familyName: string;
  email: string;
}

/** The contact details that a customer has. */
export type Contact = 'everything' | 'mobile' | 'landline-only';

/** Picks a random person. @param unique part of the e-mail address, to make it unique */
export function pickPerson(random: Random, unique: string): Person {
  const givenName = random.pick(GIVEN_NAMES);
  const familyName = random.pick(FAMILY_NAMES);
  const name = [givenName, familyName].map(toPlainLetters).filter((part) => part !== '');
  const domain = random.pick(['example.org', 'example.net', 'example.com']);
  const email = `${[...name, 'account', unique].join('.').toLowerCase()}@${domain}`;
  return { title: random.pick(TITLES), givenName, familyName, email };
}

/** Builds a `customers` entry. @param takeover all dates of the customer are before this day */
export function buildCustomer(
  random: Random,
  who: Person,
  contact: Contact,
  takeover: Day,
): Record<string, unknown> {
  const reachedOnline = contact !== 'landline-only';
  const hasConsents = reachedOnline && random.chance(0.4);
  const signedAt = momentAt(
    addDays(takeover, -random.between(30, 700)),
    random.between(8, 19),
    random.between(0, 59),
  );
  return {
    title: who.title,
    given_name: who.givenName,
    family_name: who.familyName,
    salutation: random.chance(0.5) ? `${who.title} ${who.familyName}` : undefined,
    email: reachedOnline ? who.email : undefined,
    mobile: reachedOnline ? buildPhoneNumber(random, random.pick(MOBILES)) : undefined,
    landline: contact === 'mobile' ? undefined : buildPhoneNumber(random, random.pick(LANDLINES)),
    date_of_birth: random.chance(0.8)
      ? day(random.between(1934, 2003), random.between(1, 12), random.between(1, 28))
      : null,
    portfolio_roles: ['ADMIN'],
    alternative_phone_numbers: random.chance(0.1)
      ? [{ phone_number: buildPhoneNumber(random, random.pick(LANDLINES)) }]
      : undefined,
    consents: hasConsents
      ? [
          { type: 'NEWSLETTER', value: random.pick(['ACCEPTED', 'REJECTED']), signed_at: signedAt },
          { type: 'SMS', value: random.pick(['ACCEPTED', 'REJECTED', 'UNKNOWN']), signed_at: signedAt },
        ]
      : undefined,
    unable_to_read_meters: random.chance(0.05) ? true : undefined,
    metadata: random.chance(0.15)
      ? [{ key: 'source_segment', value: { band: random.between(1, 5) } }]
      : undefined,
  };
}

/** A phone number in one of the common British notations. */
export function buildPhoneNumber(random: Random, range: string): string {
  const national = range + random.digits(3);
  const lines = [
    `0${national}`,
    `+44${national}`,
    `0${national.slice(0, 3)} ${national.slice(3, 6)} ${national.slice(6)}`,
    `+44 ${national.slice(0, 3)} ${national.slice(3)}`,
    `(0${national.slice(0, 3)}) ${national.slice(3)}`,
  ] as const;
  return random.pick(lines);
}

function toPlainLetters(name: string): string {
  return name.normalize('NFD').replace(/[^A-Za-z]/g, '');
}

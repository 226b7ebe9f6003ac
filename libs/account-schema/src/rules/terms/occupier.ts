import type { Person } from '../../contract/customer';

/** True if the person's name is The Occupier, a placeholder for an unknown person. */
export function isNamedTheOccupier(person: Person): boolean {
  const family = person.family_name?.trim().toLowerCase() ?? '';
  if (!family.endsWith('occupier')) return false;
  if (family === 'the occupier') return true;
  return `${person.given_name ?? ''} ${family}`.trim().toLowerCase() === 'the occupier';
}

import { type Person } from '../../customer/person';

/** Whether a person is named The Occupier, that is, is nobody in particular. */
export function isNamedTheOccupier(person: Person): boolean {
  const family = person.family_name?.trim().toLowerCase() ?? '';
  if (!family.endsWith('occupier')) return false;
  if (family === 'the occupier') return true;
  return `${person.given_name ?? ''} ${family}`.trim().toLowerCase() === 'the occupier';
}

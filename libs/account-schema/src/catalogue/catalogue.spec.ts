import { buildCatalogue } from './catalogue';

/** Codes of whole bodies and lists, which no constraint of a field has. */
const OF_BODIES = ['empty', 'max_nesting', 'not_a_dict', 'too_many_errors', 'unknown_field'];

it('the catalogue explains each code that a field reports, and no other', () => {
  const { fields, field_codes: explained } = buildCatalogue();
  const reported = new Set([...OF_BODIES, ...fields.flatMap(({ error_codes: codes }) => codes)]);
  expect(explained.map(({ code }) => code).toSorted()).toEqual([...reported].toSorted());
});

import { contractClasses } from '../../src/openapi/contract-shapes';
import { fieldsOfRule } from '../../src/rules/engine/paths';
import type { Places } from '../../src/rules/engine/kinds';
import { RULES } from '../../src/rules/list';
import { fieldsOf } from '../../src/vocabulary/description';
import { WARNINGS } from '../../src/warnings/list';

/** Each place by itself. */
function placesOf(at: Places): Places[] {
  return Object.entries<readonly string[]>(at).flatMap(([scope, fields]) =>
    fields.map((field) => ({ [scope]: [field] })),
  );
}

describe('the list of rules', () => {
  it('has each rule once', () => {
    expect(new Set(RULES.map(({ code }) => code)).size).toBe(RULES.length);
  });

  it('names existing fields as the places of each rule and warning', () => {
    const misplaced = [...RULES, ...WARNINGS].filter(({ at }) =>
      placesOf(at).some((place) => fieldsOfRule({ at: place }).length === 0),
    );
    expect(misplaced.map(({ code }) => code)).toEqual([]);
  });

  it('has one rule for each list that fields name', () => {
    const named = contractClasses().flatMap((type) =>
      [...fieldsOf(type).values()].flatMap(({ list }) => list ?? []),
    );
    const ruled = RULES.flatMap((one) => (one.checkedBy === 'payload' ? Object.keys(one.lists ?? {}) : []));
    expect(ruled.length).toBeGreaterThan(20);
    expect(ruled.sort()).toEqual([...new Set(named)].sort());
  });

  it('explains each rule in one line', () => {
    for (const { reason: why } of RULES) expect(why).toMatch(/^[A-Z][^\n]{10,140}\.\)?$/);
  });
});

import { contractClasses } from '../../src/openapi/contract-shapes';
import { fieldsOfRule, isPaths, pathsOfLists } from '../../src/rules/engine/paths';
import type { Place } from '../../src/rules/engine/kinds';
import { RULES } from '../../src/rules/list';
import { fieldsOf } from '../../src/vocabulary/description';
import { WARNINGS } from '../../src/warnings/list';

/** Each place by itself. */
function placesOf(at: Place): Place[] {
  if (isPaths(at)) return at.map((path) => [path]);
  return Object.entries(at).flatMap(([scope, fields]) => fields.map((field) => ({ [scope]: [field] })));
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
    const lists = contractClasses().flatMap((type) =>
      [...fieldsOf(type).values()].flatMap(({ list }) => list ?? []),
    );
    const listRules = RULES.filter((one) => one.checkedBy === 'payload' && one.checkOf);
    const rulesOfLists = [...new Set(lists)].map((list) => {
      const paths = pathsOfLists([list]);
      const ofList = listRules.filter(({ at }) =>
        paths.every((path) => (at as readonly string[]).includes(path)),
      );
      return [list, ofList.length];
    });
    expect(rulesOfLists.length).toBeGreaterThan(20);
    expect(rulesOfLists.filter(([, count]) => count !== 1)).toEqual([]);
  });

  it('explains each rule in one line', () => {
    for (const { reason: why } of RULES) expect(why).toMatch(/^[A-Z][^\n]{10,140}\.\)?$/);
  });
});

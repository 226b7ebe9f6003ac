import { DORMANT_RULES } from '../../src/rules/dormant';
import { contractClasses } from '../../src/openapi/contract-shapes';
import { fieldsOfRule, isPaths, pathsOfLists } from '../../src/rules/engine/paths';
import type { Place } from '../../src/rules/engine/rule';
import { RULES } from '../../src/rules/list';
import { fieldsOf } from '../../src/vocabulary/description';
import { WARNINGS } from '../../src/warnings/list';
import { catalogueRules } from './catalogue-rules';
import { UNIMPLEMENTED_RULES } from './unimplemented-rules';

/** Generic codes of the catalogue that have a rule here, because the operator's lists are checked by a rule. */
const GENERIC_CODES = ['invalid_choice'];

/** Each place by itself. */
function placesOf(at: Place): Place[] {
  if (isPaths(at)) return at.map((path) => [path]);
  return Object.entries(at).flatMap(([scope, fields]) => fields.map((field) => ({ [scope]: [field] })));
}

describe('the list of rules', () => {
  const expected = catalogueRules();
  const codes = RULES.map(({ code }) => code);
  const ofCatalogue = RULES.filter(
    ({ code, beyondCatalogue }) => !beyondCatalogue && !GENERIC_CODES.includes(code),
  );

  it('has all rules of the catalogue that are not dormant or unimplemented', () => {
    const dormant = DORMANT_RULES.map(({ code }) => code);
    const found = [...ofCatalogue.map(({ code }) => code), ...dormant, ...UNIMPLEMENTED_RULES];
    expect(found.sort()).toEqual(expected.map(({ code }) => code).sort());
  });

  it('has each rule once', () => {
    expect(new Set(codes).size).toBe(codes.length);
  });

  it('has the same dormant rules as the catalogue', () => {
    const dormant = expected.filter(({ basis }) => basis === 'dormant').map(({ code }) => code);
    expect(DORMANT_RULES.map(({ code }) => code).sort()).toEqual(dormant.sort());
  });

  it('agrees with the catalogue about the tier and class of each rule', () => {
    const wanted = new Map(expected.map((one) => [one.code, one]));
    expect(ofCatalogue.map((one) => [one.code, one.tier, one.class])).toEqual(
      ofCatalogue.map(({ code }) => [code, wanted.get(code)?.tier, wanted.get(code)?.class]),
    );
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

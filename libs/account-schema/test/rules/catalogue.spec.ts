import { DORMANT_RULES } from '../../src/rules/dormant';
import { RULES } from '../../src/rules/list';
import { catalogueRules } from './catalogue-rules';
import { NOT_YET } from './not-yet';

/** Registered here though the catalogue has it as a generic code: the lists are the operator's. */
const GENERIC = ['invalid_choice'];

describe('the list of rules', () => {
  const expected = catalogueRules();
  const codes = RULES.map(({ code }) => code);

  it('has every rule of the catalogue, or says why not', () => {
    const dormant = DORMANT_RULES.map(({ code }) => code);
    const found = [...codes.filter((code) => !GENERIC.includes(code)), ...dormant, ...NOT_YET];
    expect(found.sort()).toEqual(expected.map(({ code }) => code).sort());
  });

  it('has each rule once', () => {
    expect(new Set(codes).size).toBe(codes.length);
  });

  it('calls dormant what the catalogue calls dormant', () => {
    const dormant = expected.filter(({ basis }) => basis === 'dormant').map(({ code }) => code);
    expect(DORMANT_RULES.map(({ code }) => code).sort()).toEqual(dormant.sort());
  });

  it('agrees with the catalogue about the tier and the heaviest need of each rule', () => {
    const registered = RULES.filter(({ code }) => !GENERIC.includes(code));
    const wanted = new Map(expected.map((one) => [one.code, one]));
    expect(registered.map((one) => [one.code, one.tier, one.class])).toEqual(
      registered.map(({ code }) => [code, wanted.get(code)?.tier, wanted.get(code)?.class]),
    );
  });

  it('says of each rule in one line why it is there', () => {
    for (const { why } of RULES) expect(why).toMatch(/^[A-Z][^\n]{10,140}\.\)?$/);
  });
});

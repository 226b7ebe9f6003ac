import { canReadPayloads, includesRole, isOperatorName, isOperatorRole, OPERATOR_ROLES } from './operator';

describe('the role of an operator', () => {
  it('may do all that the roles before it may, and nothing else', () => {
    const may = OPERATOR_ROLES.map((role) =>
      OPERATOR_ROLES.filter((required) => includesRole(role, required)),
    );
    expect(may).toEqual([['viewer'], ['viewer', 'operator'], ['viewer', 'operator', 'admin']]);
  });

  it('decides who may read payloads', () => {
    expect(OPERATOR_ROLES.filter(canReadPayloads)).toEqual(['operator', 'admin']);
  });

  it('is one of those that are known', () => {
    expect(['viewer', 'root', '', 'Admin'].map(isOperatorRole)).toEqual([true, false, false, false]);
  });
});

it.each([
  ['ada', true],
  ['ada.lovelace@example.com', true],
  ['a'.repeat(64), true],
  ['a'.repeat(65), false],
  ['Ada', false],
  ['-ada', false],
  ['', false],
  ['ada\u200b', false],
  ['\u0430da', false],
  ['ada lovelace', false],
])('the operator name %j is valid: %s', (name, isValid) => {
  expect(isOperatorName(name)).toBe(isValid);
});

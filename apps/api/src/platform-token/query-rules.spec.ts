import { buildSchema, getIntrospectionQuery, parse, specifiedRules, validate } from 'graphql';
import { buildQueryRules } from './query-rules';

const schema = buildSchema('type Query { service: String! } type Mutation { obtain(key: String): String! }');

function errorsOf(query: string, allowIntrospection = false): string[] {
  const rules = buildQueryRules({ maxAliases: 2, maxDepth: 16, allowIntrospection });
  return validate(schema, parse(query), [...specifiedRules, ...rules]).map(({ message }) => message);
}

const aliases = (count: number) =>
  Array.from({ length: count }, (_, n) => `a${n}: obtain(key: "x")`).join(' ');
const TOO_MANY_ALIASES = ['The query has more than 2 aliases.'];

describe('a GraphQL query', () => {
  it('may have the allowed number of aliases, and fields without one', () => {
    expect(errorsOf(`mutation { obtain(key: "x") ${aliases(2)} }`)).toEqual([]);
  });

  it.each([
    ['one alias more', `mutation { ${aliases(3)} }`],
    ['a thousand aliases', `mutation { ${aliases(1_000)} }`],
    ['too many aliases in two operations', `mutation A { ${aliases(2)} } mutation B { ${aliases(1)} }`],
    [
      'too many aliases in an inline fragment',
      `mutation { ${aliases(2)} ... on Mutation { b: obtain(key: "x") } }`,
    ],
    ['too many aliases in a named fragment', `mutation { ...F } fragment F on Mutation { ${aliases(3)} }`],
  ])('a query with %s is refused', (_what, query) => {
    expect(errorsOf(query)).toEqual(TOO_MANY_ALIASES);
  });

  it.each([
    [
      'inline fragments',
      (levels: number) => `{ ${'... on Query { '.repeat(levels)} service ${'}'.repeat(levels)} }`,
    ],
    [
      'a named fragment',
      (levels: number) =>
        `{ ...F } fragment F on Query { ${'... on Query { '.repeat(levels)} service ${'}'.repeat(levels)} }`,
    ],
  ])('a query that is nested too deeply with %s is refused', (_what, nested) => {
    expect(errorsOf(nested(15))).toEqual([]);
    expect(errorsOf(nested(16))).toEqual(['The query has more than 16 levels.']);
  });

  it('can read the schema only if introspection is allowed', () => {
    expect(errorsOf(getIntrospectionQuery(), true)).toEqual([]);
    expect(errorsOf(getIntrospectionQuery())).not.toEqual([]);
    expect(errorsOf('{ __type(name: "Query") { name } }')).not.toEqual([]);
    expect(errorsOf('{ service __typename }')).toEqual([]);
  });
});

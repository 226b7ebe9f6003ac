import { buildSchema, getIntrospectionQuery, parse, specifiedRules, validate } from 'graphql';
import { queryRules } from './query-rules';

const schema = buildSchema('type Query { service: String! } type Mutation { obtain(key: String): String! }');

function problemsOf(query: string, GRAPHQL_INTROSPECTION = false): string[] {
  const rules = queryRules({ GRAPHQL_INTROSPECTION, GRAPHQL_MAX_ALIASES: 2 });
  return validate(schema, parse(query), [...specifiedRules, ...rules]).map(({ message }) => message);
}

const aliases = (count: number) =>
  Array.from({ length: count }, (_, n) => `a${n}: obtain(key: "x")`).join(' ');
const TOO_MANY = ['The query has more than 2 aliases.'];

describe('a query', () => {
  it('may have as many aliases as are allowed, and a field without one', () => {
    expect(problemsOf(`mutation { obtain(key: "x") ${aliases(2)} }`)).toEqual([]);
  });

  it.each([
    ['one more', `mutation { ${aliases(3)} }`],
    ['a thousand', `mutation { ${aliases(1_000)} }`],
    ['some in each operation', `mutation A { ${aliases(2)} } mutation B { ${aliases(1)} }`],
    ['some in an inline fragment', `mutation { ${aliases(2)} ... on Mutation { b: obtain(key: "x") } }`],
    ['some in a named fragment', `mutation { ...F } fragment F on Mutation { ${aliases(3)} }`],
  ])('with %s is refused', (_what, query) => {
    expect(problemsOf(query)).toEqual(TOO_MANY);
  });

  it('reads the schema where that is allowed, and only there', () => {
    expect(problemsOf(getIntrospectionQuery(), true)).toEqual([]);
    expect(problemsOf(getIntrospectionQuery())).not.toEqual([]);
    expect(problemsOf('{ __type(name: "Query") { name } }')).not.toEqual([]);
    expect(problemsOf('{ service __typename }')).toEqual([]);
  });
});

import { GraphQLError, NoSchemaIntrospectionCustomRule, type ValidationRule } from 'graphql';

/** Builds validation rules for queries, in addition to the GraphQL specification. They apply before execution. */
export function buildQueryRules({
  maxAliases,
  allowIntrospection,
}: {
  maxAliases: number;
  allowIntrospection: boolean;
}): ValidationRule[] {
  return [limitAliases(maxAliases), ...(allowIntrospection ? [] : [NoSchemaIntrospectionCustomRule])];
}

/** Each alias repeats its field: a thousand aliases would be a thousand attempts to obtain a token in one request. */
function limitAliases(maxAliases: number): ValidationRule {
  return (context) => {
    let aliasCount = 0;
    return {
      Field(node) {
        if (!node.alias) return;
        aliasCount += 1;
        if (aliasCount === maxAliases + 1)
          context.reportError(
            new GraphQLError(`The query has more than ${maxAliases} aliases.`, { nodes: node }),
          );
      },
    };
  };
}

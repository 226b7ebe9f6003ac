import type { Config } from '@portage/config';
import { GraphQLError, NoSchemaIntrospectionCustomRule, type ValidationRule } from 'graphql';

/** What a query must keep to besides the specification's own rules, before anything of it is carried out. */
export function queryRules(
  config: Pick<Config, 'GRAPHQL_INTROSPECTION' | 'GRAPHQL_MAX_ALIASES'>,
): ValidationRule[] {
  return [
    fewAliases(config.GRAPHQL_MAX_ALIASES),
    ...(config.GRAPHQL_INTROSPECTION ? [] : [NoSchemaIntrospectionCustomRule]),
  ];
}

/** Each alias asks for the same once more: a thousand would be a thousand attempts in one request. */
function fewAliases(most: number): ValidationRule {
  return (context) => {
    let found = 0;
    return {
      Field(node) {
        if (!node.alias) return;
        found += 1;
        if (found === most + 1)
          context.reportError(new GraphQLError(`The query has more than ${most} aliases.`, { nodes: node }));
      },
    };
  };
}

import {
  GraphQLError,
  Kind,
  NoSchemaIntrospectionCustomRule,
  type SelectionSetNode,
  type ValidationRule,
} from 'graphql';

/** Builds validation rules for queries, in addition to the GraphQL specification. They apply before execution. */
export function buildQueryRules({
  maxAliases,
  maxDepth,
  allowIntrospection,
}: {
  maxAliases: number;
  maxDepth: number;
  allowIntrospection: boolean;
}): ValidationRule[] {
  return [
    limitAliases(maxAliases),
    limitDepth(maxDepth),
    ...(allowIntrospection ? [] : [NoSchemaIntrospectionCustomRule]),
  ];
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

/** Counts fields and inline fragments. A named fragment counts as what it stands for. */
function limitDepth(maxDepth: number): ValidationRule {
  return (context) => {
    const fragmentDepths = new Map<string, number>();
    const depthOf = (set: SelectionSetNode | undefined): number => {
      let depth = 0;
      for (const node of set?.selections ?? [])
        depth = Math.max(
          depth,
          node.kind === Kind.FRAGMENT_SPREAD
            ? depthOfFragment(node.name.value)
            : 1 + depthOf(node.selectionSet),
        );
      return depth;
    };
    const depthOfFragment = (name: string): number => {
      const known = fragmentDepths.get(name);
      if (known !== undefined) return known;
      // A fragment that contains itself is refused by the specification.
      fragmentDepths.set(name, 0);
      const depth = depthOf(context.getFragment(name)?.selectionSet);
      fragmentDepths.set(name, depth);
      return depth;
    };
    return {
      OperationDefinition(node) {
        if (depthOf(node.selectionSet) > maxDepth)
          context.reportError(
            new GraphQLError(`The query has more than ${maxDepth} levels.`, { nodes: node }),
          );
      },
    };
  };
}

import { GraphQLScalarType } from 'graphql';

/** GraphQL scalar: any JSON value, for output only. */
export const GraphQLJSON = new GraphQLScalarType({
  name: 'JSON',
  description: 'A JSON value.',
  serialize: (value) => value,
});

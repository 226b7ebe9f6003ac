import { GraphQLScalarType } from 'graphql';

/** Any JSON value, in answers only. */
export const GraphQLJSON = new GraphQLScalarType({
  name: 'JSON',
  description: 'A JSON value.',
  serialize: (value) => value,
});

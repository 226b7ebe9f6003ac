/** Limits of a GraphQL request. The service has one mutation, so regular requests are far below each of them. */
export const GRAPHQL_LIMITS = {
  /** Size of a request body. A larger one is 413. */
  maxBytes: 16_384,
  /** Lexical tokens of a query. */
  maxTokens: 1_000,
  /** Nesting of a query. */
  maxDepth: 16,
  /** Aliases in a query, and so the number of access tokens that one request can obtain. */
  maxAliases: 5,
  /** Validation errors in an answer. */
  maxErrors: 20,
} as const;

/** Limits of a GraphQL request. The service has one mutation, so regular requests are far below each of them. */
export const GRAPHQL_LIMITS = {
  /** Size of a request body. A larger one is 413. */
  maxBytes: 16_384,
  /** Characters of a query, checked before it is parsed. The introspection query of tools has 2,000. */
  maxQueryLength: 4_000,
  /** Lexical tokens of a query: validation compares pairs of fields. The introspection query of tools has 163. */
  maxTokens: 500,
  /** Nesting of a query. */
  maxDepth: 16,
  /** Aliases in a query, and so the number of access tokens that one request can obtain. */
  maxAliases: 5,
  /** Validation errors in an answer. */
  maxErrors: 20,
  /** Processor time of the queries of one network in a window of `cpuWindowMs`. Further requests are 429. */
  maxCpuMs: 5_000,
  cpuWindowMs: 60_000,
} as const;

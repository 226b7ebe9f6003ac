/** Codes of catalogue rules that are not implemented yet. */
export const UNIMPLEMENTED_RULES: readonly string[] = [];

/** Levels of objects and arrays that a request body may have. It bounds the work that a hostile body can cause. */
export const MAX_NESTING = 32;

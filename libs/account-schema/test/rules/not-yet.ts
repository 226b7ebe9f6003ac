/** Rules of the catalogue that nobody has written yet. */
export const NOT_YET: readonly string[] = [];

/** A cursor as the feed returns it. */
export const EXAMPLE_CURSOR = 'MS44MDQuMC40MTIuMS4xLlBST0NFU1NFRA';

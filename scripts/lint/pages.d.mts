/** The refused words of a page, each with its line and the advice. */
export function refusedWordsOfPage(page: string): { line: number; word: string; advice: string }[];

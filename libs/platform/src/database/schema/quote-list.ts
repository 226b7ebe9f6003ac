/** The SQL of a list of texts without quotes, such as codes: `'A', 'B'`. */
export function quoteList(texts: readonly string[]): string {
  return texts.map((text) => `'${text}'`).join(', ');
}

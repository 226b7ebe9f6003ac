/** Longer texts are compared by their start. */
const MAX_COMPARED_LENGTH = 64;

/** Sorts names by their similarity to a text, the most similar first; equally similar ones keep their order. */
export function nearestFirst(text: string, names: readonly string[]): string[] {
  const wanted = normalize(text);
  return names
    .map((name) => ({ name, distance: editDistance(wanted, normalize(name)) }))
    .sort((a, b) => a.distance - b.distance)
    .map(({ name }) => name);
}

function normalize(text: string): string {
  return text
    .slice(0, MAX_COMPARED_LENGTH)
    .trim()
    .toUpperCase()
    .replace(/[\s-]+/g, '_');
}

/** The number of characters to insert, delete or replace to turn one text into the other (Levenshtein). */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (previous[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current[j] = Math.min(replaced, (previous[j] as number) + 1, (current[j - 1] as number) + 1);
    }
    previous = current;
  }
  return previous[b.length] as number;
}

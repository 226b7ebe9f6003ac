import fc from 'fast-check';
import { jsonChunks } from './json-chunks';

async function textOf(value: object): Promise<{ text: string; longest: number }> {
  let text = '';
  let longest = 0;
  for await (const chunk of jsonChunks(value)) {
    text += chunk;
    longest = Math.max(longest, chunk.length);
  }
  return { text, longest };
}

describe('JSON that is written in chunks', () => {
  it('is the text that is written at once', async () => {
    const value = { a: [1, 'x\u2028"', null, [], {}], b: { c: undefined, d: [{ e: [true] }] }, f: {} };
    expect((await textOf(value)).text).toBe(JSON.stringify(value));
    await fc.assert(
      fc.asyncProperty(fc.object({ withNullPrototype: false }), async (any) => {
        // What is not JSON, such as a bigint, is not in an answer.
        fc.pre(isJson(any));
        expect((await textOf(any)).text).toBe(JSON.stringify(any));
      }),
    );
  });

  it('has no long chunk, wherever its lists are, and lets other work run', async () => {
    const list = Array.from({ length: 20_000 }, (_, index) => ({
      name: `N-${index}`,
      value: 'x'.repeat(80),
    }));
    let turns = 0;
    const ticker = setInterval(() => (turns += 1), 0);
    const { text, longest } = await textOf({ account: { ledgers: [{ transactions: list }] } });
    clearInterval(ticker);
    expect(text.length).toBeGreaterThan(2_000_000);
    expect(longest).toBeLessThan(100_000);
    expect(turns).toBeGreaterThan(5);
  });
});

function isJson(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isJson);
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

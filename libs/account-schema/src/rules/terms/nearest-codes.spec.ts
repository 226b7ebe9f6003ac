import { NearestCodes } from './nearest-codes';

const codes = (count: number) => new Set(Array.from({ length: count }, (_, i) => `E-FIX-${i}`));

describe('the valid codes that a message names for an unknown one', () => {
  it.each([
    ['e_vra', ['G-VAR', 'E-FIX', 'E-VAR'], ' Valid: "E-VAR", "G-VAR", "E-FIX".'],
    ['Nothing like it', ['B', 'A'], ' Valid: "B", "A".'],
    ['any', [], ' The operator has listed none.'],
  ])('the message for %j among %j names the nearest codes', (value, valid, sentence) => {
    expect(new NearestCodes().describe(value, new Set(valid))).toBe(sentence);
  });

  it('are the five nearest of a long list, and their number', () => {
    expect(new NearestCodes().describe('E-FIX-9999', codes(12_000))).toBe(
      ' The nearest of the 12000 valid ones: "E-FIX-9999", "E-FIX-999", "E-FIX-1999", "E-FIX-2999", "E-FIX-3999".',
    );
  });

  it('are left out once the values of a body were compared with 20,000 codes', () => {
    const [nearest, valid] = [new NearestCodes(), codes(9_000)];
    const sentences = Array.from({ length: 10_000 }, (_, i) => nearest.describe(`X${i}`, valid));
    expect(sentences.filter((sentence) => sentence !== '')).toHaveLength(2);
    expect(nearest.describe('e-vra', new Set(['E-VAR']))).toContain('E-VAR');
  });
});

import { drawValue } from './output';

it('draws an object as a sheet of its fields with their paths, and a table for each list in it', () => {
  const drawn = drawValue({
    id: 7,
    closed: false,
    reason: null,
    counts: { processed: 2 },
    ledgers: [{ code: 'MAIN', periods: [{ from: '2026-01-01', codes: ['A', 'B'] }] }],
    notes: [],
  });
  const cells = (line: string) => line.split('│').map((cell) => cell.trim());
  expect(
    drawn
      .split('\n')
      .filter((line) => !/[┌├└]/.test(line))
      .map(cells)
      .map((row) => row.filter((cell) => cell !== '')),
  ).toEqual([
    ['id', '7'],
    ['closed', 'no'],
    ['reason', '-'],
    ['counts.processed', '2'],
    ['ledgers.0.code', 'MAIN'],
    [],
    ['ledgers.0.periods'],
    ['from', 'codes'],
    ['2026-01-01', '["A","B"]'],
  ]);
});

it('draws a list with the columns that have a value, and says that it is empty', () => {
  expect(drawValue([{ name: 'a', other: null }, { name: 'b' }])).not.toContain('other');
  expect(drawValue([{ name: 'a', other: 'x' }], ['name'])).not.toContain('other');
  expect(drawValue([])).toBe('None.');
});

import { mergeTable } from './tables';

const TABLE = '| what | queue in | lost |\n| --- | --- | --- |\n| a | redis | 0 |\n| b | redis | 0 |';

describe('the table of a family', () => {
  it('keeps the rows of scenarios that did not run, and replaces the others in their places', () => {
    const rows = [
      { what: 'a', 'queue in': 'redis', lost: 1 },
      { what: 'c', 'queue in': 'redis', lost: 2 },
    ];
    expect(mergeTable(`\n${TABLE}\n`, rows)).toBe(
      `${TABLE.replace('| a | redis | 0 |', '| a | redis | 1 |')}\n| c | redis | 2 |`,
    );
  });

  it('is replaced as a whole when it gets other columns', () => {
    expect(mergeTable(TABLE, [{ what: 'a', 'queue in': 'redis', doubled: 0 }])).toBe(
      '| what | queue in | doubled |\n| --- | --- | --- |\n| a | redis | 0 |',
    );
  });
});

import { IgnoredFieldCounts, OTHER_PATHS } from './ignored-field-counts';

describe('the ignored fields of an upload', () => {
  it('are counted by path, positions in lists together, the most frequent first, then by name', () => {
    const counts = new IgnoredFieldCounts();
    counts.add(['mood', 'customers.0.nick_name', 'customers.12.nick_name']);
    counts.add(['customers.1.nick_name', 'age']);
    expect(Object.entries(counts.byPath())).toEqual([
      ['customers.*.nick_name', 3],
      ['age', 1],
      ['mood', 1],
    ]);
  });

  it('take bounded memory: further paths, and very long ones, are counted together', () => {
    const counts = new IgnoredFieldCounts();
    for (let nth = 0; nth < 2_000; nth += 1) counts.add([`field_${nth}`]);
    counts.add(['x'.repeat(10_000), 'field_7']);
    const byPath = counts.byPath();
    expect(Object.keys(byPath)).toHaveLength(501);
    expect(byPath).toMatchObject({ [OTHER_PATHS]: 1_501, field_7: 2 });
    const long = new IgnoredFieldCounts();
    long.add(['x'.repeat(200), 'x'.repeat(201)]);
    expect(long.byPath()).toEqual({ ['x'.repeat(200)]: 1, [OTHER_PATHS]: 1 });
  });
});

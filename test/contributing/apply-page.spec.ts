import { applyDiff, readBlocks } from './apply-page';

const PAGE = `# Contributing

### Where?

1. Here:

   \`\`\`diff a.ts
    one
   -two
   +three
   @@
    last
   +end
   \`\`\`

2. And a new file:

   \`\`\`ts b.ts
   if (yes) {
     go();
   }
   \`\`\`

### Another question
`;

describe('The blocks of a page', () => {
  const [diff, file] = readBlocks(PAGE, 'Where?');

  it('are the new files and the changes below a heading', () => {
    expect(file).toEqual({ path: 'b.ts', kind: 'file', text: 'if (yes) {\n  go();\n}\n' });
    expect(readBlocks(PAGE, 'Another question')).toEqual([]);
  });

  it('change the lines that they name', () => {
    expect(applyDiff('zero\none\ntwo\nlast\n', diff!)).toBe('zero\none\nthree\nlast\nend\n');
  });

  it.each(['zero\none\nlast\n', 'one\ntwo\none\ntwo\nlast\n'])(
    'are refused if a file does not have these lines exactly once',
    (source) => {
      expect(() => applyDiff(source, diff!)).toThrow(
        'a.ts does not have these lines exactly once:\none\ntwo',
      );
    },
  );
});

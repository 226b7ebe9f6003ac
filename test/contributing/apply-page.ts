import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A code block of a page that names a file: a new file, or changes of an existing one. */
interface FileBlock {
  path: string;
  kind: 'file' | 'diff';
  text: string;
}

/** The code blocks of a page whose first line names a file, such as "```diff libs/a.ts", below one heading. */
export function readBlocks(page: string, heading: string): FileBlock[] {
  const [, section] = page.split(`\n### ${heading}\n`);
  if (section === undefined) throw new Error(`There is no heading "${heading}".`);
  const [body = ''] = section.split(/^##/m);
  return [...body.matchAll(/^( *)```(diff|tsx?) (\S+)\n([\s\S]*?)^\1```$/gm)].map(
    ([, indent = '', language, path = '', text = '']) => ({
      path,
      kind: language === 'diff' ? 'diff' : 'file',
      text: text
        .split('\n')
        .map((line) => line.slice(indent.length))
        .join('\n'),
    }),
  );
}

/** Applies the hunks of a diff, which have no line numbers: the lines before must be there exactly once. */
function applyDiff(source: string, { path, text }: FileBlock): string {
  return text.split(/^@@\n/m).reduce((current, hunk) => {
    const lines = hunk.split('\n').slice(0, -1);
    const without = (sign: string) =>
      lines
        .filter((line) => !line.startsWith(sign))
        .map((line) => line.slice(1))
        .join('\n');
    const [first, rest, ...more] = current.split(without('+'));
    if (first === undefined || rest === undefined || more.length > 0)
      throw new Error(`${path} does not have these lines exactly once:\n${without('+')}`);
    return first + without('-') + rest;
  }, source);
}

/** Applies a block to the copy of the repository in a folder. */
export async function applyBlock(folder: string, block: FileBlock): Promise<void> {
  const file = join(folder, block.path);
  if (block.kind === 'diff') await writeFile(file, applyDiff(await readFile(file, 'utf8'), block));
  else {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, block.text, { flag: 'wx' });
  }
}

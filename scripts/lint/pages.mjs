// node scripts/lint/pages.mjs: refuses the words of plain-words.mjs in the sentences of the repository's Markdown pages.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { refusedWords } from './plain-words.mjs';

/** What is no sentence: code blocks, HTML comments, code, and the targets of links. */
const NO_SENTENCES = [/^( *)(```+)[\s\S]*?^ *\2/gm, /<!--[\s\S]*?-->/g, /`[^`]*`/g, /\]\([^)]*\)/g];

/** The refused words of a page, each with its line and the advice. */
export function refusedWordsOfPage(page) {
  const sentences = NO_SENTENCES.reduce(
    // Lines keep their numbers.
    (text, pattern) => text.replace(pattern, (found) => found.replace(/[^\n]/g, ' ')),
    page,
  );
  return sentences
    .split('\n')
    .flatMap((text, index) => refusedWords(text).map((refused) => ({ line: index + 1, ...refused })));
}

function main() {
  const root = join(import.meta.dirname, '..', '..');
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'];
  const pages = execFileSync('git', list, { cwd: root, encoding: 'utf8' }).split('\n');
  for (const path of pages.filter((name) => name !== '' && existsSync(join(root, name))))
    for (const { line, word, advice } of refusedWordsOfPage(readFileSync(join(root, path), 'utf8'))) {
      process.exitCode = 1;
      process.stdout.write(`${path}:${line}: '${word}' is not plain: ${advice}.\n`);
    }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();

import { execFile } from 'node:child_process';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compile, installPacked } from '@portage/testing/packed-package';
import { newDirectory } from '@portage/testing/test-directory';

const run = promisify(execFile);
const CLIENT = join(__dirname, '..');
const ROOT = join(CLIENT, '..', '..');
const EXAMPLES = join(ROOT, 'libs', 'account-schema', 'test', 'examples');
/** The valid accounts of the contract, from the minimal one to those with every part. */
const ACCOUNTS = ['01-domestic-dual-fuel', '02-minimal', '03-business-two-addresses', '04-unknown-occupier'];

/** A module in which each example is a constant of the type. */
async function typedExamples(importLine: string, type: string): Promise<string> {
  const constants = ACCOUNTS.map(async (name, index) => {
    const json = await readFile(join(EXAMPLES, `${name}.json`), 'utf8');
    return `export const account${index}: ${type} = ${json};`;
  });
  const misspelt = `// @ts-expect-error a required field is misspelt
export const misspelt: ${type} = { import_suplier: 'DEMO', external_account_number: '1' };`;
  return [importLine, ...(await Promise.all(constants)), misspelt].join('\n');
}

/** A program that works in each module system. */
const PROGRAM = `import { createPortageClient, type SubmissionResult, Unreachable } from '@portage/client';

const portage = createPortageClient({ baseUrl: 'http://127.0.0.1:9', apiKey: 'none', retry: { maxAttempts: 1 } });
const outcomes: SubmissionResult['outcome'][] = [];
async function main(): Promise<void> {
  const failure = await portage.abortSubmission({ path: { id: '1' } }).catch((error: unknown) => error);
  console.log(failure instanceof Unreachable, typeof portage.results, outcomes.length);
}
void main();
// @ts-expect-error rows have no such member
export const wrong = (row: SubmissionResult): unknown => row.outcom;
`;

/** Programs start and compile in a few seconds of processor time; other tests may run beside them. */
const TIMEOUT_MS = 120_000;

describe('the package of the client', () => {
  it(
    'installs from a file, runs as ES module and CommonJS, and its types accept the accounts of the contract and refuse misspelt names',
    async () => {
      const folder = newDirectory();
      await installPacked('@portage/client', folder);
      const importLine = "import type { Account } from '@portage/client';";
      await writeFile(join(folder, 'examples.ts'), await typedExamples(importLine, 'Account'));
      await copyFile(join(CLIENT, 'test', 'typed-bodies.ts'), join(folder, 'typed-bodies.ts'));
      const guide = await readFile(join(ROOT, 'docs', 'suppliers-guide.md'), 'utf8');
      await writeFile(join(folder, 'guide.mts'), /^```ts\n([\s\S]*?)^```/m.exec(guide)![1]!);
      const files = ['examples.ts', 'typed-bodies.ts', 'guide.mts'];
      expect(await compile(folder, files)).toBe('');
      // ES modules and CommonJS.
      for (const extension of ['mts', 'cts']) await writeFile(join(folder, `program.${extension}`), PROGRAM);
      const options = { noEmit: false, verbatimModuleSyntax: false };
      expect(await compile(folder, ['program.mts', 'program.cts'], options)).toBe('');
      for (const extension of ['mjs', 'cjs']) {
        const { stdout } = await run(process.execPath, [join(folder, `program.${extension}`)]);
        expect(stdout).toBe('true function 0\n');
      }
    },
    TIMEOUT_MS,
  );
});

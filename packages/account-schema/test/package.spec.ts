import { execFile } from 'node:child_process';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compile, installPacked } from '@portage/testing/packed-package';
import { newDirectory } from '@portage/testing/test-directory';

const run = promisify(execFile);
const PACKAGE = join(__dirname, '..');
const EXAMPLES = join(PACKAGE, '..', '..', 'libs', 'account-schema', 'test', 'examples');
const VALID = ['01-domestic-dual-fuel.json', '03-business-two-addresses.json'];
const INVALID = 'invalid.json';

/** What the types of the package accept and refuse. */
const TYPES = `import { type Account, NotesRequest, validateAccount, validateBody } from '@portage/account-schema';
import type { SchemaContext } from '@portage/account-schema';

export function familyName(input: unknown, context: SchemaContext): string | null | undefined {
  const result = validateAccount(input, context);
  const account: Account | undefined = result.ok ? result.value : undefined;
  // @ts-expect-error a field is misspelt
  account?.custommers;
  return account?.customers?.[0]?.family_name;
}

export function pinnedNotes(input: unknown, context: SchemaContext): number {
  const result = validateBody(NotesRequest, input, context);
  return result.ok ? result.value.notes.filter((note) => note.is_pinned).length : result.errorCount;
}

// @ts-expect-error there is no such profile
export const profile: SchemaContext['profile'] = 'gb';
`;

/** Programs start and compile in a few seconds of processor time; other tests may run beside them. */
const TIMEOUT_MS = 240_000;

describe('the package of the account schema', () => {
  it(
    'installs from a file, validates accounts as ES module and CommonJS, and has types',
    async () => {
      const folder = newDirectory();
      await installPacked('@portage/account-schema', folder);
      for (const name of VALID) await copyFile(join(EXAMPLES, name), join(folder, name));
      const [account] = await Promise.all(VALID.map(async (name) => readFile(join(folder, name), 'utf8')));
      const invalid = JSON.parse(account!);
      invalid.customers[0].date_of_birth = '2023-02-29';
      await writeFile(join(folder, INVALID), JSON.stringify(invalid));

      const readme = await readFile(join(PACKAGE, 'README.md'), 'utf8');
      const program = /^```ts\n([\s\S]*?)^```/m.exec(readme)![1]!;
      await writeFile(join(folder, 'types.ts'), TYPES);
      for (const extension of ['mts', 'cts']) await writeFile(join(folder, `program.${extension}`), program);
      const files = ['types.ts', 'program.mts', 'program.cts'];
      expect(await compile(folder, files, { noEmit: false, skipLibCheck: false })).toBe('');

      for (const extension of ['mjs', 'cjs']) {
        const { stdout } = await run(process.execPath, [`program.${extension}`, ...VALID, INVALID], {
          cwd: folder,
        });
        const [first, second, third, ...rest] = stdout.split('\n');
        expect([first, second]).toEqual(VALID.map((name) => `${name} is valid`));
        expect(third).toMatch(/^invalid\.json: customers\.0\.date_of_birth invalid Enter an existing/);
        expect(rest).toEqual(['']);
      }
    },
    TIMEOUT_MS,
  );
});

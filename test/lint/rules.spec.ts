import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');

/** Lints each text as a file of its own. @returns for each the rules that refuse it */
async function lint(texts: readonly string[]): Promise<string[][]> {
  const folder = await mkdtemp(join(tmpdir(), 'portage-lint-'));
  try {
    const names = ['no-environment', 'no-unbounded-spread', 'print-through-module'];
    const config = {
      categories: { correctness: 'off' },
      plugins: [],
      jsPlugins: [{ name: 'portage', specifier: join(root, 'scripts', 'lint', 'plugin.mjs') }],
      rules: Object.fromEntries(names.map((name) => [`portage/${name}`, 'error'])),
    };
    await writeFile(join(folder, 'rules.json'), JSON.stringify(config));
    await Promise.all(texts.map(async (text, n) => writeFile(join(folder, `${n}.ts`), text)));
    const output = await new Promise<string>((resolve) => {
      execFile(
        join(root, 'node_modules', '.bin', 'oxlint'),
        ['--config', 'rules.json', '--format', 'json', '.'],
        { cwd: folder },
        (_error, stdout) => {
          resolve(stdout);
        },
      );
    });
    const { diagnostics } = JSON.parse(output) as { diagnostics: { code: string; filename: string }[] };
    return texts.map((_, n) =>
      diagnostics
        .filter(({ filename }) => filename.endsWith(`${n}.ts`))
        .map(({ code }) => code.replace(/^portage\((.*)\)$/, '$1')),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('The lint rules', () => {
  const refused: [rule: string, text: string][] = [
    ['no-unbounded-spread', 'rows.push(...more);'],
    ['no-unbounded-spread', 'Math.max(...ages);'],
    ['no-environment', 'start(process.env.PORT);'],
    ['print-through-module', 'process.stdout.write(line);'],
  ];
  const allowed = [
    'rows.push(...(last ? [last] : []));',
    'Math.max(a, b);',
    'collect(...rows);',
    'start(config.env, process.argv);',
    'output.write(line);',
  ];

  it('refuse what they name', async () => {
    const found = await lint(refused.map(([, text]) => text));
    expect(found).toEqual(refused.map(([rule]) => [rule]));
  });

  it('allow the rest', async () => {
    expect(await lint(allowed)).toEqual(allowed.map(() => []));
  });
});

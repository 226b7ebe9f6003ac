import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommanderError } from 'commander';
import { buildProgram } from './program';

/** Parses a command that ends before it runs. */
async function parse(...args: string[]): Promise<{ status: unknown; stdout: string; stderr: string }> {
  const output = { stdout: '', stderr: '' };
  const write = (to: keyof typeof output) => (text: string | Uint8Array) => {
    output[to] += String(text);
    return true;
  };
  const stdout = jest.spyOn(process.stdout, 'write').mockImplementation(write('stdout'));
  const stderr = jest.spyOn(process.stderr, 'write').mockImplementation(write('stderr'));
  try {
    await buildProgram().parseAsync(['node', 'cli', ...args]);
    return { status: 'the command ran', ...output };
  } catch (error) {
    return { status: error instanceof CommanderError ? error.exitCode : error, ...output };
  } finally {
    stdout.mockRestore();
    stderr.mockRestore();
  }
}

describe('an invalid command', () => {
  it.each([
    ['nonsense'],
    ['supplier nonsense'],
    ['supplier create'],
    ['supplier create X'],
    ['supplier create X Y --organisation Z'],
    ['supplier list --nonsense'],
    ['supplier set-status X'],
    ['api-key issue'],
    ['api-key revoke'],
    ['organisation create'],
    ['operator create ada'],
    ['operator set'],
    ['process list'],
    ['process list --supplier X --status DONE'],
    ['process show --supplier X'],
    ['account erase'],
    ['queue pause'],
  ])('%s ends with status 2, a hint at --help and no output', async (line) => {
    expect(await parse(...line.split(' '))).toEqual({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('Add --help for the usage of the command.'),
    });
  });
});

describe('the program', () => {
  const leaves = buildProgram().commands.flatMap((group) =>
    group.commands.map((command) => [`${group.name()} ${command.name()}`, command] as const),
  );

  it('has every command and option that a page names', () => {
    const docs = join(__dirname, '../../../docs');
    const pages = readdirSync(docs).filter((name) => name.endsWith('.md'));
    const commands = new Map(leaves);
    const groups = buildProgram()
      .commands.map((group) => group.name())
      .join('|');
    // A span of code, or a line of a block, such as `process release|cancel --supplier <CODE>`.
    const written = new RegExp(
      `(?:\`|portage |cli (?:-- )?|main\\.js )(${groups}) ([a-z|\\\\-]+)([^\`\n]*)`,
      'g',
    );
    const found = pages.flatMap((page) =>
      [...readFileSync(join(docs, page), 'utf8').matchAll(written)].map(
        ([, group = '', names = '', rest = '']) => ({ page, group, names, rest }),
      ),
    );
    const missing = found.flatMap(({ page, group, names, rest }) =>
      names.split(/\\?\|/).flatMap((name) => {
        const command = commands.get(`${group} ${name}`);
        const options = [...rest.matchAll(/--[a-z-]+/g)].map(([option]) => option);
        const known = command?.options.map(({ long }) => long) ?? [];
        return command && options.every((option) => known.includes(option))
          ? []
          : [`${page}: ${group} ${name}${rest}`];
      }),
    );
    expect(found.length).toBeGreaterThan(50);
    expect(missing).toEqual([]);
  });

  it.each(leaves)('%s has --json, and prints its help on standard output', async (name, command) => {
    expect(command.options.map(({ long }) => long)).toContain('--json');
    const { status, stdout, stderr } = await parse(...name.split(' '), '--help');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`Usage: npx portage ${name}`);
  });
});

import { CommanderError } from 'commander';
import { program } from './program';

/** Parses a command that ends before it does anything. */
async function parsed(...args: string[]): Promise<{ status: unknown; stdout: string; stderr: string }> {
  const said = { stdout: '', stderr: '' };
  const write = (to: keyof typeof said) => (text: string | Uint8Array) => {
    said[to] += String(text);
    return true;
  };
  const stdout = jest.spyOn(process.stdout, 'write').mockImplementation(write('stdout'));
  const stderr = jest.spyOn(process.stderr, 'write').mockImplementation(write('stderr'));
  try {
    await program().parseAsync(['node', 'cli', ...args]);
    return { status: 'it was carried out', ...said };
  } catch (error) {
    return { status: error instanceof CommanderError ? error.exitCode : error, ...said };
  } finally {
    stdout.mockRestore();
    stderr.mockRestore();
  }
}

describe('a command that is not understood', () => {
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
    ['process list'],
    ['process list --supplier X --status DONE'],
    ['process show --supplier X'],
    ['process release'],
    ['account erase'],
    ['audit list --nonsense'],
  ])('%s ends with status 2, says how it is used, and prints nothing', async (line) => {
    expect(await parsed(...line.split(' '))).toEqual({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('Add --help to see how the command is used.'),
    });
  });
});

describe('every command', () => {
  const leaves = program().commands.flatMap((group) =>
    group.commands.map((command) => [`${group.name()} ${command.name()}`, command] as const),
  );

  it('of the design is there', () => {
    expect(leaves.map(([name]) => name)).toEqual(
      expect.arrayContaining([
        ...['organisation create', 'organisation list', 'api-key issue', 'api-key list', 'api-key revoke'],
        ...['supplier create', 'supplier set', 'supplier set-status', 'supplier list', 'supplier show'],
        ...['process list', 'process show', 'process release', 'process cancel', 'process retry'],
        ...['account show', 'account erase', 'audit list'],
      ]),
    );
  });

  it.each(leaves)('%s can answer in JSON, and explains itself on standard output', async (name, command) => {
    expect(command.options.map(({ long }) => long)).toContain('--json');
    const { status, stdout, stderr } = await parsed(...name.split(' '), '--help');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`Usage: npm run cli -- ${name}`);
  });
});

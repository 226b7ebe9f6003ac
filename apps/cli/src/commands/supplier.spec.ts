import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSettings, supplierCommands, supplierSettingsTable } from './supplier';

const page = readFileSync(join(__dirname, '..', '..', '..', '..', 'docs', 'cli.md'), 'utf8');

describe('The settings of a supplier', () => {
  it(`are the table in docs/cli.md that this prints: npm run build && node -p "require('./dist/apps/cli/src/commands/supplier').supplierSettingsTable()"`, () => {
    expect(page).toContain(`\n\n${supplierSettingsTable()}\n\n`);
  });

  it('are options of supplier set, none of which has a value unless it is given', () => {
    const [set] = supplierCommands().commands.filter((command) => command.name() === 'set');
    expect(set!.opts()).toEqual({});
    set!.parseOptions(['--currency', 'EUR', '--no-corrections', '--retain-payload-days', 'none']);
    expect(parseSettings(set!.opts())).toEqual({
      currency: 'EUR',
      corrections: false,
      retainPayloadDays: null,
    });
  });
});

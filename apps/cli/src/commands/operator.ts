import { OPERATOR_ROLES, Operators } from '@portage/operators';
import { PortageError } from '@portage/platform';
import type { Command } from 'commander';
import { command, group } from '../command';

const ROLES = OPERATOR_ROLES.join(', ');
const ONE_TIME = 'It is valid for 7 days and not shown again. The first login asks for another one.';

interface Change {
  role?: string;
  enable?: true;
  disable?: true;
}

/** `operator create`, `list`, `set` and `reset-password`. */
export function operatorCommands(): Command {
  return group('operator', 'Operators, who sign in to the console and to Bull Board.', [
    command(
      'create <name>',
      'Create an operator. The one-time password is shown once.',
      async (app, { role }: { role: string }, name: string) => ({
        value: await app.get(Operators).create(name, role),
        note: ONE_TIME,
      }),
    ).requiredOption('--role <role>', ROLES),
    command('list', 'List the operators.', async (app) => ({ value: await app.get(Operators).list() })),
    command(
      'set <name>',
      'Change the role of an operator, or disable or enable it. It holds at the next request.',
      async (app, options: Change, name: string) => ({
        value: await change(app.get(Operators), name, options),
      }),
    )
      .option('--role <role>', ROLES)
      .option('--disable', 'end the sessions at once and refuse to sign in')
      .option('--enable', 'let the operator sign in again'),
    command(
      'reset-password <name>',
      'Give an operator a one-time password, remove the second factor and end the sessions.',
      async (app, _options: object, name: string) => ({
        value: await app.get(Operators).resetPassword(name),
        note: ONE_TIME,
      }),
    ),
  ]);
}

async function change(operators: Operators, name: string, { role, enable, disable }: Change) {
  if ([role, enable, disable].filter((option) => option !== undefined).length !== 1)
    throw new PortageError('operation_refused', 'Give one of --role, --disable and --enable.');
  if (role !== undefined) return operators.setRole(name, role);
  return disable ? operators.disable(name) : operators.enable(name);
}

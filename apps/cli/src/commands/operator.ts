import type { INestApplicationContext } from '@nestjs/common';
import { OPERATOR_ROLES, Operators, type OperatorView, type OperatorWithPassword } from '@portage/operators';
import { Command } from 'commander';
import { command, type CommandOutput, show } from '../command';
import { table } from '../table';

const ROLES = OPERATOR_ROLES.join(', ');

/** `operator create`, `list`, `set-role`, `disable`, `enable` and `reset-password`. */
export function operatorCommands(): Command {
  return new Command('operator')
    .description('Operators, who sign in to the console and to Bull Board.')
    .addCommand(
      command('create <name>', 'Create an operator. The one-time password is shown once.')
        .requiredOption('--role <role>', ROLES)
        .action(async (name: string, { role, json }: { role: string; json?: true }) =>
          show(json ?? false, async (app) => withPassword(await app.get(Operators).create(name, role))),
        ),
    )
    .addCommand(
      command('list', 'List the operators.').action(async ({ json }: { json?: true }) =>
        show(json ?? false, async (app) => {
          const all = await app.get(Operators).list();
          return { json: all, text: list(all) };
        }),
      ),
    )
    .addCommand(
      command('set-role <name> <role>', `Set the role: ${ROLES}. It holds at the next request.`).action(
        async (name: string, role: string, options: { json?: true }) =>
          change(options, async (app) => app.get(Operators).setRole(name, role)),
      ),
    )
    .addCommand(
      command('disable <name>', 'Disable an operator and end the sessions at once.').action(
        async (name: string, options: { json?: true }) =>
          change(options, async (app) => app.get(Operators).disable(name)),
      ),
    )
    .addCommand(
      command('enable <name>', 'Enable an operator again.').action(
        async (name: string, options: { json?: true }) =>
          change(options, async (app) => app.get(Operators).enable(name)),
      ),
    )
    .addCommand(
      command(
        'reset-password <name>',
        'Give an operator a one-time password, remove the second factor and end the sessions.',
      ).action(async (name: string, { json }: { json?: true }) =>
        show(json ?? false, async (app) => withPassword(await app.get(Operators).resetPassword(name))),
      ),
    );
}

async function change(
  { json }: { json?: true },
  work: (app: INestApplicationContext) => Promise<OperatorView>,
): Promise<void> {
  await show(json ?? false, async (app) => {
    const operator = await work(app);
    return { json: operator, text: list([operator]) };
  });
}

function withPassword(created: OperatorWithPassword): CommandOutput {
  const { operator, one_time_password: password } = created;
  return {
    json: created,
    text: `One-time password of ${operator.name}: ${password}\nIt is valid for 7 days and not shown again. The first login asks for another one.`,
  };
}

function list(operators: readonly OperatorView[]): string {
  return table(
    ['operator', 'role', 'state', 'signs in with', 'second factor', 'created', 'last login'],
    operators.map((operator) => [
      operator.name,
      operator.role,
      stateOf(operator),
      operator.sign_in,
      operator.has_totp ? 'yes' : 'no',
      operator.created_at,
      operator.last_login_at ?? '-',
    ]),
    'There is no operator yet. Create one with: operator create <name> --role admin',
  );
}

function stateOf({ is_disabled: isDisabled, must_change_password: mustChange }: OperatorView): string {
  if (isDisabled) return 'disabled';
  return mustChange ? 'one-time password' : 'enabled';
}

import { Command } from 'commander';
import { accountCommands } from './commands/account';
import { apiKeyCommands } from './commands/api-key';
import { auditCommands } from './commands/audit';
import { documentCommands } from './commands/document';
import { instanceCommands } from './commands/instance';
import { organisationCommands } from './commands/organisation';
import { processCommands } from './commands/process';
import { referenceCommands } from './commands/reference';
import { supplierCommands } from './commands/supplier';

/** All commands (DESIGN 6). A mistake in a command ends it with status 2 and says how it is used. */
export function program(): Command {
  const portage = new Command('npm run cli --')
    .description('Configure suppliers and steer import processes.')
    .showHelpAfterError('Add --help to see how the command is used.')
    .exitOverride((error) => {
      throw Object.assign(error, { exitCode: error.exitCode === 0 ? 0 : 2 });
    });
  const groups = [
    ...[organisationCommands(), apiKeyCommands(), supplierCommands(), processCommands()],
    ...[accountCommands(), documentCommands(), referenceCommands(), instanceCommands(), auditCommands()],
  ];
  for (const group of groups) portage.addCommand(inheriting(portage, group));
  return portage;
}

/** Commander hands settings down only to commands that it makes itself. */
function inheriting(parent: Command, command: Command): Command {
  command.copyInheritedSettings(parent);
  for (const child of command.commands) inheriting(command, child);
  return command;
}

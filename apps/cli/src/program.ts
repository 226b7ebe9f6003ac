import { Command } from 'commander';
import { accountCommands } from './commands/account';
import { apiKeyCommands } from './commands/api-key';
import { documentCommands } from './commands/document';
import { operatorCommands } from './commands/operator';
import { organisationCommands } from './commands/organisation';
import { processCommands } from './commands/process';
import { queueCommands } from './commands/queue';
import { instanceCommands, referenceCommands } from './commands/reference';
import { submissionCommands } from './commands/submission';
import { supplierCommands } from './commands/supplier';
import { printMessage, printShort } from './standard-output';

/** Builds the program with all its commands. A command that is not valid ends with status 2 and a hint at --help. */
export function buildProgram(): Command {
  const portage = new Command('npx portage')
    .description('Configure suppliers and manage import processes.')
    .showHelpAfterError('Add --help for the usage of the command.')
    .configureOutput({ writeOut: printShort, writeErr: printMessage })
    .exitOverride((error) => {
      throw Object.assign(error, { exitCode: error.exitCode === 0 ? 0 : 2 });
    });
  const groups = [
    organisationCommands(),
    apiKeyCommands(),
    supplierCommands(),
    processCommands(),
    submissionCommands(),
    queueCommands(),
    operatorCommands(),
    accountCommands(),
    documentCommands(),
    referenceCommands(),
    instanceCommands(),
  ];
  for (const group of groups) portage.addCommand(inheritSettings(portage, group));
  return portage;
}

/** Copies the settings of `parent`, which Commander does only for commands that it creates itself. */
function inheritSettings(parent: Command, command: Command): Command {
  command.copyInheritedSettings(parent);
  for (const child of command.commands) inheritSettings(command, child);
  return command;
}

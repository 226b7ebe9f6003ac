import { IMPORT_PROCESS_STATUSES, type SteeringAction } from '@portage/imports';
import { Command, Option } from 'commander';
import { command } from '../command';
import { listProcesses, showProcess } from './process-list';
import { eraseProcess } from './process-erasure';
import { type SelectionOptions, steerProcesses } from './process-steering';

const statusOption = () =>
  new Option('--status <status>', 'only processes in this status').choices([...IMPORT_PROCESS_STATUSES]);

/** `process list`, `show`, `release`, `cancel`, `retry` and `erase`. */
export function processCommands(): Command {
  return new Command('process')
    .description('Import processes: show, release, cancel, retry and erase them.')
    .addCommand(
      command('list', "List a supplier's processes, the newest first.")
        .requiredOption('--supplier <code>', 'the supplier of the processes')
        .addOption(statusOption())
        .option('--error-code <code>', 'only processes that ended with this error code')
        .action(listProcesses),
    )
    .addCommand(
      command('show', 'Show a process with its events.')
        .requiredOption('--supplier <code>', 'the supplier of the process')
        .requiredOption('--external-account-number <number>', 'the process')
        .action(showProcess),
    )
    .addCommand(steeringCommand('release', 'Create accounts whose dry run has succeeded.'))
    .addCommand(steeringCommand('cancel', 'Cancel processes that have not started.'))
    .addCommand(
      steeringCommand('retry', 'Schedule failed processes again, or cancelled ones with --status CANCELLED.'),
    )
    .addCommand(
      command('erase', 'Erase the personal data of a process that never became an account.')
        .requiredOption('--supplier <code>', 'the supplier of the process')
        .requiredOption('--external-account-number <number>', 'the process')
        .option('--yes', 'do not ask for confirmation')
        .action(eraseProcess),
    );
}

function steeringCommand(action: SteeringAction, description: string): Command {
  return command(action, description)
    .option('--supplier <code>', 'the supplier of the processes, unless a submission is selected')
    .option('--external-account-number <number>', 'only this process')
    .addOption(statusOption())
    .option('--error-code <code>', 'only processes that ended with this error code')
    .option('--submission <id>', 'only the accounts of this submission')
    .option('--first <count>', 'only so many of them, in the order of creation (a canary)')
    .option('--all', 'every process in a suitable status')
    .action(async (selected: SelectionOptions, usage: Command) => {
      await steerProcesses(action, selected, usage);
    });
}

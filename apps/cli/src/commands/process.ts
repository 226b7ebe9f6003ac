import { IMPORT_PROCESS_STATUSES, type SteeringAction } from '@portage/imports';
import { Command, Option } from 'commander';
import { command } from '../command';
import { listProcesses, showProcess } from './process-list';
import { eraseProcess } from './process-erasure';
import { releaseProcesses } from './process-release';
import { steerProcesses } from './process-steering';

const statusOption = () =>
  new Option('--status <status>', 'only processes in this status').choices([...IMPORT_PROCESS_STATUSES]);

/** `process list`, `show`, `release`, `cancel`, `retry` and `erase`. */
export function processCommands(): Command {
  return new Command('process')
    .description('Import processes: show, release, cancel, retry and erase them.')
    .addCommand(
      command('list', "List a supplier's processes in the order of creation.")
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
    .addCommand(releaseCommand())
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

/** `process release`, which can also select the accounts of a submission after their dry run. */
function releaseCommand(): Command {
  return withSelection(command('release', 'Create accounts whose dry run has succeeded.'))
    .option('--supplier <code>', 'the supplier of the processes')
    .option(
      '--submission <id>',
      'the accounts of this submission after their dry run, and no other selection',
    )
    .option('--first <count>', 'with --submission: only so many of them, in the order of creation (a canary)')
    .action(releaseProcesses);
}

function steeringCommand(action: SteeringAction, description: string): Command {
  return withSelection(command(action, description))
    .requiredOption('--supplier <code>', 'the supplier of the processes')
    .action(async (selected: Parameters<typeof steerProcesses>[1]) => {
      await steerProcesses(action, selected);
    });
}

function withSelection(definition: Command): Command {
  return definition
    .option('--external-account-number <number>', 'only this process')
    .addOption(statusOption())
    .option('--error-code <code>', 'only processes that ended with this error code')
    .option('--all', 'every process in a suitable status');
}

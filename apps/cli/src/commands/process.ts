import { IMPORT_PROCESS_STATUSES, type SteeringAction } from '@portage/domain';
import { Command, Option } from 'commander';
import { command } from '../command';
import { listProcesses, showProcess } from './process-list';
import { steerProcesses } from './process-steering';

const status = () => new Option('--status <status>', 'only these').choices([...IMPORT_PROCESS_STATUSES]);

export function processCommands(): Command {
  return new Command('process')
    .description('Import processes: look at them, release, cancel and retry them.')
    .addCommand(
      command('list', "List a supplier's processes in the order of creation.")
        .requiredOption('--supplier <code>', 'whose processes')
        .addOption(status())
        .option('--error-code <code>', 'only those that ended with this error')
        .action(listProcesses),
    )
    .addCommand(
      command('show', 'Show a process with its events.')
        .requiredOption('--supplier <code>', 'whose process')
        .requiredOption('--external-account-number <number>', 'which process')
        .action(showProcess),
    )
    .addCommand(steering('release', 'Create the accounts whose dry run has succeeded.'))
    .addCommand(steering('cancel', 'Cancel processes that have not been started.'))
    .addCommand(
      steering('retry', 'Schedule failed processes again; cancelled ones with --status CANCELLED.'),
    );
}

function steering(action: SteeringAction, description: string): Command {
  return command(action, description)
    .requiredOption('--supplier <code>', 'whose processes')
    .option('--external-account-number <number>', 'only this one')
    .addOption(status())
    .option('--error-code <code>', 'only those that ended with this error')
    .option('--all', 'every process that is in a state for it')
    .action(async (selected: Parameters<typeof steerProcesses>[1]) => {
      await steerProcesses(action, selected);
    });
}

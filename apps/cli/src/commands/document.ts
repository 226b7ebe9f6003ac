import { RetryDocuments, type UnsettledState } from '@portage/accounts';
import { PortageError } from '@portage/platform';
import { Command, Option } from 'commander';
import { command, withApplication } from '../command';
import { withInterruption } from '../interruption';
import { print } from '../standard-output';

const RETRYABLE_STATES: readonly UnsettledState[] = ['MISSING', 'REFUSED'];

interface RetryOptions {
  supplier: string;
  state?: UnsettledState;
  json?: true;
}

/** `document retry`. The first Ctrl-C stops it after the current batch, a second one at once. */
async function retryDocuments({ supplier, state, json }: RetryOptions): Promise<void> {
  const { retried, withoutJob, isComplete } = await withInterruption(async (signal) =>
    withApplication(async (app) =>
      app.get(RetryDocuments).retry(supplier, state ? [state] : RETRYABLE_STATES, signal),
    ),
  );
  const delayed =
    withoutJob > 0
      ? `The queue did not accept the jobs of ${withoutJob} of them. A worker enqueues them within a minute.\n`
      : '';
  await print(
    json
      ? `${JSON.stringify({ retried }, undefined, 2)}\n`
      : `${retried} documents will be inspected again.\n${delayed}`,
  );
  if (!isComplete) throw new PortageError('operation_refused', 'Stopped. Run the command again to continue.');
}

/** `document retry`. */
export function documentCommands(): Command {
  return new Command('document').description('Documents of statements and notes.').addCommand(
    command('retry', 'Inspect missing or refused documents again, once they have been uploaded.')
      .requiredOption('--supplier <code>', 'the supplier of the documents')
      .addOption(new Option('--state <state>', 'only documents in this state').choices([...RETRYABLE_STATES]))
      .action(retryDocuments),
  );
}

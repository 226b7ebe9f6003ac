import { RetryDocuments, type UnsettledState } from '@portage/accounts';
import { type Command, Option } from 'commander';
import { command, group } from '../command';
import { withProgress } from '../progress';

const RETRYABLE_STATES: readonly UnsettledState[] = ['MISSING', 'REFUSED'];

/** `document retry`. The first Ctrl-C stops it after the current batch, a second one at once. */
export function documentCommands(): Command {
  return group('document', 'Documents of statements and notes.', [
    command(
      'retry',
      'Inspect missing or refused documents again, once they have been uploaded.',
      async (app, { supplier, state }: { supplier: string; state?: UnsettledState }) => {
        const { retried, withoutJob, isComplete } = await withProgress(
          { action: 'retry', total: 0, isShown: false },
          async (signal) =>
            app.get(RetryDocuments).retry(supplier, state ? [state] : RETRYABLE_STATES, signal),
        );
        return {
          value: { retried, without_job: withoutJob },
          failure: !isComplete && 'Stopped. Run the command again to continue.',
        };
      },
    )
      .requiredOption('--supplier <code>', 'the supplier of the documents')
      .addOption(
        new Option('--state <state>', 'only documents in this state').choices([...RETRYABLE_STATES]),
      ),
  ]);
}

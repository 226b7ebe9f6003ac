import { Refusal, RetryDocuments, type UnsettledState } from '@portage/importing';
import { Command, Option } from 'commander';
import { command, withApplication } from '../command';
import { print } from '../standard-output';

const UNSETTLED: readonly UnsettledState[] = ['MISSING', 'REFUSED'];

interface Selected {
  supplier: string;
  state?: UnsettledState;
  json?: true;
}

/** `document retry`: however many there are. Ctrl-C ends it after the batch in hand, and a second one at once. */
async function retryDocuments({ supplier, state, json }: Selected): Promise<void> {
  const stopping = new AbortController();
  const stop = () => {
    stopping.abort();
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  const { retried, withoutJob, isComplete } = await withApplication(async (app) =>
    app.get(RetryDocuments).retry(supplier, state ? [state] : UNSETTLED, stopping.signal),
  ).finally(() => {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  });
  const waiting =
    withoutJob > 0
      ? `The queue did not answer for ${withoutJob} of them; a worker takes them up within a minute.\n`
      : '';
  await print(
    json
      ? `${JSON.stringify({ retried }, undefined, 2)}\n`
      : `${retried} documents are looked at again.\n${waiting}`,
  );
  if (!isComplete) throw new Refusal('Stopped. The same command again does the rest.');
}

export function documentCommands(): Command {
  return new Command('document').description('Documents of statements and notes.').addCommand(
    command('retry', 'Look again at documents that were missing or refused, once they have been uploaded.')
      .requiredOption('--supplier <code>', 'whose documents')
      .addOption(new Option('--state <state>', 'only these').choices([...UNSETTLED]))
      .action(retryDocuments),
  );
}

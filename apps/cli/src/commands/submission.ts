import { LINE_OUTCOMES } from '@portage/submissions';
import { Command, Option } from 'commander';
import { command } from '../command';
import { abortSubmission } from './submission-abort';
import { listSubmissions, showSubmission } from './submission-list';
import { reconcileSubmission } from './submission-reconciliation';
import { listResults } from './submission-results';
import { rollBackSubmission } from './submission-rollback';

/** `submission list`, `show`, `results`, `reconcile`, `abort` and `rollback`. */
export function submissionCommands(): Command {
  return new Command('submission')
    .description('Submissions: show, reconcile, abort and roll back books of accounts.')
    .addCommand(
      command('list', "List a supplier's submissions, newest first.")
        .requiredOption('--supplier <code>', 'the supplier of the submissions')
        .action(listSubmissions),
    )
    .addCommand(command('show <id>', 'Show a submission with its counts.').action(showSubmission))
    .addCommand(
      command('results <id>', 'List what became of each account, in the order of arrival.')
        .addOption(
          new Option('--outcome <outcome...>', 'only accounts with these outcomes').choices([
            ...LINE_OUTCOMES,
          ]),
        )
        .option('--csv <file>', 'write them to a file for spreadsheets')
        .action(listResults),
    )
    .addCommand(
      command('reconcile <id>', 'Compare what was expected, received and imported.').action(
        reconcileSubmission,
      ),
    )
    .addCommand(
      command('abort <id>', 'Accept no more accounts, and cancel those that have not begun.').action(
        abortSubmission,
      ),
    )
    .addCommand(
      command('rollback <id>', 'Delete the accounts that it has created and that nothing has touched since.')
        .option('--dry-run', 'only show what would be deleted and what would be left')
        .option('--yes', 'do not ask for confirmation')
        .action(rollBackSubmission),
    );
}

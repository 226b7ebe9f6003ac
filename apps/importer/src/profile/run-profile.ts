import { Command } from 'commander';
import { resolve } from 'node:path';
import { printOutput } from '../terminal';
import { parseCommand } from '../parse-command';
import type { RunContext } from '../run/run-context';
import { withProgress } from '../run/with-progress';
import { UsageError } from '../usage-error';
import { OutputFile } from '../mapping/output-file';
import { describeField, LIMITS } from './describe-profile';
import { type FileProfile, profileFile } from './profile-file';
import { profilePage } from './profile-page';

interface ProfileOptions {
  readonly file: string;
  /** Path of the HTML page, if any. */
  readonly html: string | undefined;
}

/**
 * Performs profile with the arguments after it: prints what the columns of a CSV file or the fields of a book have.
 *
 * @throws UsageError if an option or the file is wrong
 */
export async function runProfile(
  args: string[],
  { progress, progressEveryMs }: Pick<RunContext, 'progress' | 'progressEveryMs'>,
): Promise<void> {
  const options = parseProfileOptions(args);
  if (options === undefined) return;
  const { file, html } = options;
  if (html !== undefined && resolve(html) === resolve(file))
    throw new UsageError(`${html} is the file itself: give another path with --html.`);
  const page = html === undefined ? undefined : await OutputFile.create(html);
  try {
    const profile = await profileFile(file, async (read, work) => {
      const steps = () => [{ label: 'read', fraction: read.fractionRead, details: file }];
      return withProgress(progress, progressEveryMs, steps, work);
    });
    progress.end();
    printOutput(`${profileLines(profile).join('\n')}\n`);
    await page?.write(profilePage(profile));
    await page?.close();
    if (html !== undefined) printOutput(`\nThe page is ${html}. It has samples, which are personal data.\n`);
  } catch (error) {
    progress.end();
    await page?.discard();
    throw error;
  }
}

/** @returns undefined if only help was requested */
function parseProfileOptions(args: string[]): ProfileOptions | undefined {
  let options: ProfileOptions | undefined;
  const program = new Command('import-book profile')
    .description('Says what the columns of a CSV file, or the fields of a book (.ndjson, .ndjson.gz), have.')
    .argument('<file>', 'the CSV file or the book')
    .option('--html <path>', 'write it as one HTML page as well')
    .action((file: string, { html }: { html?: string }) => {
      options = { file, html };
    })
    .configureOutput({ outputError: () => undefined })
    .exitOverride();
  return parseCommand(program, args.length === 0 ? ['--help'] : args, 'profile --help') ? options : undefined;
}

/** A profile for a terminal. */
export function profileLines({ file, format, rows, problem, fields }: FileProfile): string[] {
  const described = fields.flatMap((field) => [
    '',
    field.name,
    ...describeField(field, rows).map(([label, text]) => `  ${label.padEnd(9)} ${text}`),
  ]);
  return [
    `${file}: ${rows} rows, ${fields.length} fields. ${format}.`,
    ...(problem === undefined ? [] : [problem]),
    ...described,
    '',
    LIMITS,
  ];
}

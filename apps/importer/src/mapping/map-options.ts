import { Command, Option } from 'commander';
import { BOOK_KINDS, type BookKind } from '../book/book-line';
import { parseCommand } from '../parse-command';
import { UsageError } from '../usage-error';

/** The validated options of map check and map book. */
export interface MapOptions {
  /** Path of the mapping file. */
  readonly mapping: string;
  /** What the lines of its book have. */
  readonly kind: BookKind;
  /** The number of accounts to check at most; undefined is all of them. */
  readonly rows: number | undefined;
  /** Path of the book; undefined for a check. */
  readonly out: string | undefined;
  /** Path of the file for the rejected rows, if any. */
  readonly rejected: string | undefined;
}

/** The validated options of map preview. */
export interface PreviewOptions extends Pick<MapOptions, 'mapping' | 'kind'> {
  readonly command: 'preview';
  /** The line of the file at which the row starts; undefined is the first row. */
  readonly row: number | undefined;
}

/** The validated options of map init. */
export interface InitOptions {
  /** Paths of the CSV files, that of the accounts first. */
  readonly files: readonly string[];
  /** Path of the mapping file, which must not exist. */
  readonly out: string;
}

const HELP = `
Exit codes:
  0  every row became part of an account without errors
  1  some rows did not
  2  the run could not start or had to stop: an option, the mapping or a file is wrong; no book was written

docs/mapping.md describes the mapping file.
`;

/**
 * Parses the arguments after `map`.
 *
 * @returns undefined if only help was requested
 * @throws UsageError
 */
export function parseMapOptions(args: string[]): MapOptions | PreviewOptions | InitOptions | undefined {
  let options: MapOptions | PreviewOptions | InitOptions | undefined;
  const program = new Command('import-book map')
    .description("Maps a supplier's CSV files to a book of accounts and validates it, without a service.")
    .addHelpText('after', HELP);
  const add = (name: string, description: string) =>
    program
      .command(name)
      .description(description)
      .requiredOption('--mapping <path>', 'path of the mapping file (YAML)')
      .addOption(
        new Option('--kind <kind>', 'the book of the mapping: its account, or its additions')
          .choices(BOOK_KINDS)
          .default('accounts'),
      )
      .allowExcessArguments(false)
      .addHelpText('after', HELP);
  const check = add('check', 'maps and validates, and writes nothing').option(
    '--rows <n>',
    'check the first accounts only',
  );
  check.action((given: Given & { rows?: string }) => {
    const { mapping, kind, rows } = given;
    options = { mapping, kind, rows: parseNumber(rows, '--rows'), out: undefined, rejected: undefined };
  });
  const book = add('book', 'writes the accounts without errors as a book')
    .requiredOption('--out <path>', 'path of the book (NDJSON)')
    .option('--rejected <path>', 'write the rows with errors to this file, as their source has them');
  book.action((given: Given & { out: string; rejected?: string }) => {
    const { mapping, kind, out, rejected } = given;
    options = { mapping, kind, rows: undefined, out, rejected };
  });
  const preview = add('preview', 'shows one account as it would be imported, beside its rows').option(
    '--row <n>',
    'the line of the file at which the row starts; by default the first row',
  );
  preview.action(({ mapping, kind, row }: Given & { row?: string }) => {
    options = { command: 'preview', mapping, kind, row: parseNumber(row, '--row') };
  });
  const init = program
    .command('init')
    .description('guesses a mapping file from CSV files, with the reason of each guess')
    .argument('<files...>', 'the CSV files, that of the accounts first')
    .option('--out <path>', 'path of the mapping file, which must not exist', 'mapping.yaml');
  init.action((files: string[], { out }: { out: string }) => {
    options = { files, out };
  });
  for (const command of [program, init, check, preview, book])
    command.configureOutput({ outputError: () => undefined }).exitOverride();
  return parseCommand(program, args.length === 0 ? ['--help'] : args, 'map --help') ? options : undefined;
}

interface Given {
  mapping: string;
  kind: BookKind;
}

function parseNumber(value: string | undefined, option: string): number | undefined {
  if (value === undefined) return undefined;
  if (!/^[1-9]\d{0,14}$/.test(value))
    throw new UsageError(`${option} ${value} is not a whole number above 0.`);
  return Number(value);
}

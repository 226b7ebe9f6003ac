import { writeFile } from 'node:fs/promises';
import { basename, dirname, join, parse, relative, resolve, sep } from 'node:path';
import { printOutput } from '../../terminal';
import { UsageError } from '../../usage-error';
import type { InitOptions } from '../map-options';
import { readMapping } from '../mapping';
import { type FileSample, sampleFile } from './column-sample';
import { guessCsv } from './csv-guess';
import { guessMapping, type GuessedSource } from './guess-mapping';
import { mappingText } from './mapping-text';

/** The JSON Schema of mapping files, from the folder of the compiled programs and from that of the sources. */
const SCHEMA = join(__dirname.replace(`${sep}dist${sep}`, sep), '../../../../../docs/mapping.schema.json');

/**
 * Performs map init: writes a mapping file that is guessed from samples.
 *
 * @throws UsageError if a file cannot be read, or the mapping file exists
 */
export async function runInit({ files, out }: InitOptions): Promise<void> {
  const samples = await sampleFiles(files, dirname(resolve(out)));
  const [accounts, ...children] = samples as [FileSample, ...FileSample[]];
  const mapping = guessMapping(accounts, children);
  const schema = relative(dirname(resolve(out)), SCHEMA)
    .split(sep)
    .join('/');
  await writeFile(out, mappingText(mapping, schema), { mode: 0o600, flag: 'wx' }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new UsageError(`${out} exists: give another path with --out.`);
    throw new UsageError(`${out} cannot be written: ${(error as Error).message}`);
  });
  // Nothing of the samples can make a file that the importer does not read.
  await readMapping(out);
  for (const source of mapping.sources) printOutput(`${describe(source)}\n`);
  printOutput(`The mapping is ${out}. Look at each guess, decide what is open, and run map check.\n`);
}

/** The start of each file. A file with ASCII only is taken for one in the encoding of the others. */
async function sampleFiles(files: readonly string[], folder: string): Promise<FileSample[]> {
  const guesses = [];
  for (const file of files) guesses.push(await guessCsv(file));
  const other = guesses.findIndex(({ isAscii }) => !isAscii);
  const names = new Set<string>();
  const samples: FileSample[] = [];
  for (const [index, file] of files.entries()) {
    const guess = guesses[index] as (typeof guesses)[number];
    const same = guess.isAscii ? guesses[other] : undefined;
    const reason = `its start has ASCII only, and ${basename(files[other] ?? '')} has this encoding`;
    const assumed = same === undefined ? guess : { ...guess, encoding: { ...same.encoding, reason } };
    const path = relative(folder, resolve(file)).split(sep).join('/');
    samples.push(await sampleFile(sourceName(file, names), path, resolve(file), assumed));
  }
  return samples;
}

/** The name of a source after its file. */
function sourceName(file: string, taken: Set<string>): string {
  const letters = parse(file)
    .name.toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_');
  const name = (/^[a-z]/.test(letters) ? letters : `file_${letters}`).slice(0, 28);
  const free = Array.from({ length: 100 }, (_, index) => (index === 0 ? name : `${name}_${index + 1}`));
  const result = free.find((one) => !taken.has(one)) ?? name;
  taken.add(result);
  return result;
}

function describe({ sample, unused }: GuessedSource): string {
  const { settings, columns, rows } = sample;
  const mapped = columns.length - unused.length;
  return `${settings.file}: ${mapped} of ${columns.length} columns mapped, from ${rows} rows`;
}

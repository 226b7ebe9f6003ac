import 'reflect-metadata';
import { ConfigError } from '@portage/config';
import { Refusal } from '@portage/importing';
import { CommanderError } from 'commander';
import { program } from './program';

/** The operator's command line: the use cases of libs/importing with a terminal in front of them. */
async function main(): Promise<number> {
  try {
    await program().parseAsync(process.argv);
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    const expected = error instanceof Refusal || error instanceof ConfigError;
    const text = expected
      ? error.message
      : error instanceof Error
        ? (error.stack ?? error.message)
        : String(error);
    process.stderr.write(`${text}\n`);
    return 1;
  }
}

void main().then((status) => {
  process.exitCode = status;
});

import 'reflect-metadata';
import { ConfigError, Refusal } from '@portage/platform';
import { CommanderError } from 'commander';
import { buildProgram } from './program';
import { printMessage } from './standard-output';

/**
 * The operator's command line. The exit status is 0, or 2 for a command that is not valid, or 1 for any other failure.
 */
async function main(): Promise<number> {
  try {
    await buildProgram().parseAsync(process.argv);
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    const isExpected = error instanceof Refusal || error instanceof ConfigError;
    const text = isExpected
      ? error.message
      : error instanceof Error
        ? (error.stack ?? error.message)
        : String(error);
    printMessage(`${text}\n`);
    return 1;
  }
}

void main().then((status) => {
  process.exitCode = status;
});

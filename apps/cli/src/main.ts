import 'reflect-metadata';
import { ConfigError, type FieldError, PortageError } from '@portage/platform';
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
    printMessage(`${textOf(error)}\n`);
    return 1;
  }
}

/** The sentence of an expected error, or its sentences about single fields. The stack of any other error. */
function textOf(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  if (error instanceof PortageError) {
    const { errors = [] } = error.members as { errors?: FieldError[] };
    const details = errors.map(({ attr, detail }) => `${attr}: ${detail}`);
    return details.length > 0 ? details.join('\n') : error.detail;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

void main().then((status) => {
  process.exitCode = status;
});

import { type Command, CommanderError } from 'commander';
import { UsageError } from './usage-error';

/**
 * Parses the arguments of a command whose errors are thrown.
 *
 * @param help how to see all options, such as `map --help`
 * @returns false if only help was requested
 * @throws UsageError that says how to see all options
 */
export function parseCommand(command: Command, args: readonly string[], help: string): boolean {
  try {
    command.parse(args, { from: 'user' });
    return true;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return false;
    throw new UsageError(`${error.message.replace(/^error: |\.$/g, '')}. Run ${help} to see all options.`);
  }
}

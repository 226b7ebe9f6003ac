import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { loadConfig, PortageError } from '@portage/platform';
import { Command } from 'commander';
import { CliModule } from './cli.module';
import { type CommandResult, printResult } from './output';
import { printMessage } from './standard-output';

/**
 * Defines a command with its parameters (`create <name>`) and the option `--json`.
 *
 * @param work runs with the application, the options and the parameters
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the callback declares them, Commander knows no types
export function command<Options, Parameters extends unknown[]>(
  usage: string,
  description: string,
  work: (
    app: INestApplicationContext,
    options: Options,
    ...parameters: Parameters
  ) => CommandResult | Promise<CommandResult>,
): Command {
  const [name = '', ...parameters] = usage.split(' ');
  const definition = new Command(name).description(description);
  for (const parameter of parameters) definition.argument(parameter);
  return definition
    .option('--json', 'print one JSON value and nothing else')
    .action(async (...received: unknown[]) => {
      const given = received.slice(0, parameters.length) as Parameters;
      const options = definition.opts<Options & { json?: true }>();
      const failure = await withApplication(async (app) => {
        const result = await work(app, options, ...given);
        await printResult(result, options.json ?? false);
        if (result.note && !options.json) printMessage(`${result.note}\n`);
        return result.failure;
      });
      if (failure) throw new PortageError('operation_refused', failure);
    });
}

/** A group of commands. */
export function group(name: string, description: string, commands: readonly Command[]): Command {
  const definition = new Command(name).description(description);
  for (const each of commands) definition.addCommand(each);
  return definition;
}

/** Runs `work` with the application, and closes the application afterwards. */
async function withApplication<T>(work: (app: INestApplicationContext) => Promise<T>): Promise<T> {
  // oxlint-disable-next-line portage/no-environment -- this process reads its environment here only
  const config = loadConfig('cli', process.env);
  // Standard output is for the command's result only, and errors are thrown to the operator.
  const app = await NestFactory.createApplicationContext(CliModule.with({ ...config, LOG_LEVEL: 'silent' }), {
    logger: false,
    abortOnError: false,
  });
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}

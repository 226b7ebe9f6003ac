import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { loadConfig } from '@portage/platform';
import { Command } from 'commander';
import { CliModule } from './cli.module';
import { print } from './standard-output';

/** The output of a command: `json` with `--json`, otherwise `text`. */
export interface CommandOutput {
  json: unknown;
  text: string;
}

/** Defines a command with its parameters (`create <name>`) and the option `--json`. */
export function command(usage: string, description: string): Command {
  const [name = '', ...parameters] = usage.split(' ');
  const definition = new Command(name).description(description);
  for (const parameter of parameters) definition.argument(parameter);
  return definition.option('--json', 'print one JSON value and nothing else');
}

/** Runs `work` with the application and prints its output on standard output. */
export async function show(
  asJson: boolean,
  work: (app: INestApplicationContext) => Promise<CommandOutput>,
): Promise<void> {
  const { json, text } = await withApplication(work);
  await print(`${asJson ? JSON.stringify(json, undefined, 2) : text}\n`);
}

/** Runs `work` with the application, and closes the application afterwards. */
export async function withApplication<T>(work: (app: INestApplicationContext) => Promise<T>): Promise<T> {
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

import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { loadConfig } from '@portage/config';
import { Command } from 'commander';
import { CliModule } from './cli.module';

/** What a command shows: `json` for programs, `text` for people. */
export interface Shown {
  json: unknown;
  text: string;
}

/** A command with its parameters (`create <name>`) and with `--json`. */
export function command(usage: string, description: string): Command {
  const [name = '', ...parameters] = usage.split(' ');
  const described = new Command(name).description(description);
  for (const parameter of parameters) described.argument(parameter);
  return described.option('--json', 'print one JSON value and nothing else');
}

/** Runs `work` with the application and prints its result on standard output, as JSON where that was asked for. */
export async function show(
  asJson: boolean,
  work: (app: INestApplicationContext) => Promise<Shown>,
): Promise<void> {
  const { json, text } = await withApplication(work);
  process.stdout.write(`${asJson ? JSON.stringify(json, undefined, 2) : text}\n`);
}

/** Runs `work` with the application and stops the application whatever happens. */
export async function withApplication<T>(work: (app: INestApplicationContext) => Promise<T>): Promise<T> {
  // eslint-disable-next-line no-restricted-syntax -- the one place where this process reads its environment
  const config = loadConfig('cli', process.env);
  // Standard output belongs to the command; what goes wrong reaches the operator as its error.
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

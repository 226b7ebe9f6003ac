import { type CommandResult, OperatorHost, runInHost, runOperatorCommand } from './operator-host';

/**
 * Commands of the operator on one database. They run in a host of the test run, or in one of their own. Tests of how
 * the process itself starts and ends start it themselves.
 */
export class OperatorCommands {
  private own: Promise<OperatorHost> | undefined;

  constructor(private readonly env: NodeJS.ProcessEnv) {}

  /** @returns what the command printed on standard output */
  async run(...args: string[]): Promise<string> {
    return runOperatorCommand(await this.host(), args, this.env);
  }

  /** Runs a command that may fail. */
  async try(...args: string[]): Promise<CommandResult> {
    return runInHost(await this.host(), args, this.env);
  }

  async stop(): Promise<void> {
    // A host that did not start has told its caller.
    const host = await this.own?.catch(() => undefined);
    host?.stop();
  }

  private async host(): Promise<string> {
    const hosts = process.env['PORTAGE_TEST_OPERATORS']?.split(' ') ?? [];
    const worker = Number(process.env['JEST_WORKER_ID'] ?? '1') - 1;
    const shared = hosts[worker % hosts.length];
    if (shared) return shared;
    this.own ??= OperatorHost.start();
    return (await this.own).url;
  }
}

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { REPOSITORY } from './built-programs';
import { exchange } from './exchange';

/** A process that runs commands of the operator for any number of databases. */
export class OperatorHost {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  static async start(): Promise<OperatorHost> {
    const child = fork(join(REPOSITORY, 'libs', 'testing', 'src', 'operator-server.cjs'), {
      execArgv: [],
      // Without a terminal, as a command in a script.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const started = new AbortController();
    try {
      const url = await Promise.race([
        once(child, 'message', started).then(([address]) => String(address)),
        once(child, 'exit', started).then(([status]) => {
          throw new Error(`The operator's command line ended with status ${status} instead of starting.`);
        }),
      ]);
      return new OperatorHost(child, url);
    } finally {
      started.abort();
    }
  }

  stop(): void {
    // A command that goes on after SIGTERM would keep the channel, and so the test run, open.
    this.child.kill('SIGKILL');
  }
}

export interface CommandResult {
  status: number;
  stdout: string;
  stderr: string;
}

/** Runs a command of the operator in a host. */
export async function runInHost(
  host: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<CommandResult> {
  const { body } = await exchange('POST', host, { body: { args, env } });
  return body as CommandResult;
}

/**
 * Runs a command of the operator in a host.
 *
 * @returns what the command printed on standard output
 * @throws Error with the command's error when it fails
 */
export async function runOperatorCommand(...request: Parameters<typeof runInHost>): Promise<string> {
  const { status, stdout, stderr } = await runInHost(...request);
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { join } from 'node:path';

/** A process that runs commands of the operator for any number of databases. */
export class OperatorHost {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  static async start(): Promise<OperatorHost> {
    const child = fork(join(__dirname, 'operator-server.cjs'), { execArgv: [] });
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
    this.child.kill();
  }
}

/**
 * Runs a command of the operator in a host.
 *
 * @returns what the command printed on standard output
 * @throws Error with the command's error when it fails
 */
export async function runOperatorCommand(
  host: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const text = await new Promise<string>((resolve, reject) => {
    const sent = request(host, { method: 'POST', agent: false, timeout: 120_000 }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      response.on('error', reject).on('end', () => {
        resolve(body);
      });
    });
    sent.on('error', reject);
    sent.on('timeout', () => sent.destroy(new Error(`No answer to ${args.join(' ')} within 120 s.`)));
    sent.end(JSON.stringify({ args, env }));
  });
  const { stdout, error } = JSON.parse(text) as { stdout: string; error?: string };
  if (error !== undefined) throw new Error(error);
  return stdout;
}

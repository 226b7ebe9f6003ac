import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';

interface Ran {
  id: number;
  stdout: string;
  error?: string;
}

/**
 * Commands of the operator, for tests that need what they do. They run in one process that is started once; how a
 * command starts, ends and prints is for tests that start it themselves.
 */
export class OperatorCommands {
  private host: ChildProcess | undefined;
  private readonly waiting = new Map<number, (ran: Ran) => void>();
  private next = 0;

  constructor(private readonly env: NodeJS.ProcessEnv) {}

  /** @returns what the command printed on standard output */
  async run(...args: string[]): Promise<string> {
    const id = this.next++;
    const ran = new Promise<Ran>((resolve) => this.waiting.set(id, resolve));
    this.started().send({ id, args });
    const { stdout, error } = await ran;
    if (error !== undefined) throw new Error(error);
    return stdout;
  }

  stop(): void {
    this.host?.kill();
  }

  private started(): ChildProcess {
    if (this.host) return this.host;
    this.host = fork(join(__dirname, 'operator-host.cjs'), { env: this.env, execArgv: [] });
    this.host.on('message', (ran: Ran) => {
      this.waiting.get(ran.id)?.(ran);
      this.waiting.delete(ran.id);
    });
    this.host.once('exit', (status) => {
      for (const [id, answer] of this.waiting)
        answer({ id, stdout: '', error: `The operator's commands ended with status ${status}.` });
    });
    return this.host;
  }
}

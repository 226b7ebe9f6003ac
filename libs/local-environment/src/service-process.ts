import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Loaded before the service: when whoever launched it is gone, however hard, the service stops too. The channel is
 * there to be watched, not to keep the process alive.
 */
const EXIT_WITH_PARENT =
  'data:text/javascript,process.once("disconnect",()=>process.kill(process.pid,"SIGTERM"));process.channel?.unref()';

export interface ServiceOptions {
  name: string;
  /** The script that Node runs. */
  script: string;
  env: NodeJS.ProcessEnv;
  /** Where its output goes. */
  logFile: string;
  /** Answers 200 once it is ready. */
  readyUrl: string;
}

/** One service as a child process of its own. */
export class ServiceProcess {
  readonly exited: Promise<number | null>;
  private hasExited = false;

  private constructor(
    private readonly options: ServiceOptions,
    private readonly child: ChildProcess,
  ) {
    this.exited = new Promise((resolve) => {
      child.once('exit', (code) => {
        this.hasExited = true;
        resolve(code);
      });
    });
  }

  /**
   * Starts a service in a process group of its own, so that Ctrl-C reaches only us and we stop things in order. The
   * service stops by itself when we are gone.
   */
  static launch(options: ServiceOptions): ServiceProcess {
    const log = openSync(options.logFile, 'a');
    try {
      const child = spawn(process.execPath, ['--import', EXIT_WITH_PARENT, options.script], {
        env: options.env,
        detached: true,
        stdio: ['ignore', log, log, 'ipc'],
      });
      return new ServiceProcess(options, child);
    } finally {
      closeSync(log);
    }
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  get isRunning(): boolean {
    return !this.hasExited;
  }

  /** @throws Error with the end of the log when it exits instead, or is not ready in time */
  async ready(milliseconds = 60_000): Promise<void> {
    const until = Date.now() + milliseconds;
    while (Date.now() < until) {
      if (this.hasExited)
        throw new Error(`${this.options.name} ended instead of starting.\n${this.endOfLog()}`);
      const answer = await fetch(this.options.readyUrl, { signal: AbortSignal.timeout(2_000) }).catch(
        () => undefined,
      );
      await answer?.arrayBuffer();
      if (answer?.ok) return;
      await sleep(50);
    }
    throw new Error(
      `${this.options.name} was not ready within ${milliseconds / 1_000} s.\n${this.endOfLog()}`,
    );
  }

  /** Asks it to stop and waits; kills it when it does not stop in time. Returns whether it stopped by itself. */
  async stop(milliseconds = 40_000): Promise<boolean> {
    if (this.hasExited) return true;
    this.child.kill('SIGTERM');
    const timer = new AbortController();
    const late = sleep(milliseconds, 'late', { signal: timer.signal }).catch(() => 'stopped');
    const stopped = await Promise.race([this.exited.then(() => 'stopped'), late]);
    timer.abort();
    if (stopped === 'stopped') return true;
    this.kill();
    await this.exited;
    return false;
  }

  /** As hard as a crash. */
  kill(): void {
    this.child.kill('SIGKILL');
  }

  endOfLog(lines = 12): string {
    try {
      return readFileSync(this.options.logFile, 'utf8').trim().split('\n').slice(-lines).join('\n');
    } catch {
      return '';
    }
  }
}

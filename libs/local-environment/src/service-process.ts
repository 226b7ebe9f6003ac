import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Preloaded module that stops a program when its parent process ends for any reason. The IPC channel is unreferenced,
 * so that it does not keep the program alive.
 */
export const EXIT_WITH_PARENT =
  'data:text/javascript,process.once("disconnect",()=>process.kill(process.pid,"SIGTERM"));process.channel?.unref()';

/**
 * The heap of a service in MiB, as in the image, the start scripts and the manifests. Without a limit V8 sizes the heap by
 * the memory of the machine, and collects garbage late on a large one. NODE_OPTIONS of a service overrides it.
 */
export const SERVICE_HEAP_MEBIBYTES = 512;

/** Options of {@link ServiceProcess.launch}. */
export interface ServiceOptions {
  name: string;
  /** The script that Node runs. */
  script: string;
  env: NodeJS.ProcessEnv;
  /** File for standard output and standard error. */
  logFile: string;
  /** URL that responds with 200 when the service is ready. */
  readyUrl: string;
}

/** A service that runs as a child process. */
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
   * Starts the service in a new process group, so that Ctrl-C reaches only this process, which stops the services in
   * order. The service stops when this process ends.
   */
  static launch(options: ServiceOptions): ServiceProcess {
    const log = openSync(options.logFile, 'a', 0o600);
    try {
      const nodeOptions = [`--max-old-space-size=${SERVICE_HEAP_MEBIBYTES}`, options.env['NODE_OPTIONS']];
      const child = spawn(process.execPath, ['--import', EXIT_WITH_PARENT, options.script], {
        // Of an option that is given twice, Node takes the last value.
        env: { ...options.env, NODE_OPTIONS: nodeOptions.filter(Boolean).join(' ') },
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

  get name(): string {
    return this.options.name;
  }

  /** Where the service answers requests. */
  get baseUrl(): string {
    return new URL(this.options.readyUrl).origin;
  }

  get isRunning(): boolean {
    return !this.hasExited;
  }

  /**
   * Waits until the service is ready.
   *
   * @throws Error with the end of the log if the service exits or is not ready in time
   */
  async waitUntilReady(timeoutMs = 60_000): Promise<void> {
    const until = Date.now() + timeoutMs;
    while (Date.now() < until) {
      if (this.hasExited) throw new Error(`${this.options.name} exited during its start.\n${this.logTail()}`);
      const response = await fetch(this.options.readyUrl, {
        // A service that stops waits for open connections.
        headers: { connection: 'close' },
        signal: AbortSignal.timeout(2_000),
      }).catch(() => undefined);
      await response?.arrayBuffer();
      if (response?.ok) return;
      await sleep(50);
    }
    throw new Error(`${this.options.name} was not ready within ${timeoutMs / 1_000} s.\n${this.logTail()}`);
  }

  /** Sends SIGTERM and waits; kills the service on timeout. Returns true if it stopped without being killed. */
  async stop(timeoutMs = 40_000): Promise<boolean> {
    if (this.hasExited) return true;
    this.child.kill('SIGTERM');
    const timer = new AbortController();
    const late = sleep(timeoutMs, 'late', { signal: timer.signal }).catch(() => 'stopped');
    const stopped = await Promise.race([this.exited.then(() => 'stopped'), late]);
    timer.abort();
    if (stopped === 'stopped') return true;
    this.kill();
    await this.exited;
    return false;
  }

  /** Sends SIGKILL, like a crash. */
  kill(): void {
    this.child.kill('SIGKILL');
  }

  /** The last lines of the log file. */
  logTail(lines = 12): string {
    try {
      return readFileSync(this.options.logFile, 'utf8').trim().split('\n').slice(-lines).join('\n');
    } catch {
      return '';
    }
  }
}

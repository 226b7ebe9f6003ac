import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { EXIT_WITH_PARENT } from '@portage/local-environment';
import { ROOT } from './paths';
import { printMessage } from './progress';

/** Files that change within this time, as those of a branch, are one change. */
const TOGETHER_MS = 200;

/** The programs of `npm run dev` that follow the sources: the compiler, and Vite for the console. */
export class Watchers {
  private readonly children: ChildProcess[] = [];

  constructor(private readonly env: NodeJS.ProcessEnv) {}

  /**
   * Compiles all sources, and each one that changes. Resolves when it watches them.
   *
   * @param onChange is called after changed sources are compiled
   */
  async compile(onChange: () => void): Promise<void> {
    const nest = this.launch('node_modules/@nestjs/cli/bin/nest.js', ['build', '--watch'], {}, 'pipe');
    let later: NodeJS.Timeout | undefined;
    let isWatching = false;
    nest.stderr?.on('data', (chunk: Buffer) => {
      printMessage(chunk.toString().trimEnd());
      if (!isWatching || !chunk.toString().includes('Successfully compiled')) return;
      clearTimeout(later);
      later = setTimeout(onChange, TOGETHER_MS);
    });
    await new Promise<void>((resolve, reject) => {
      nest.stdout?.on('data', (chunk: Buffer) => {
        if (!chunk.toString().includes('Watching for file changes')) return;
        isWatching = true;
        resolve();
      });
      nest.once('exit', () => {
        reject(new Error('nest build --watch has ended.'));
      });
    });
  }

  /** Serves the console from its sources, and sends requests for the operator API to `apiUrl`. */
  serveConsole(apiUrl: string): void {
    this.launch('apps/console/serve.mjs', [], { API_URL: apiUrl }, 'inherit');
  }

  /** Idempotent. */
  async stop(): Promise<void> {
    const running = this.children
      .splice(0)
      .filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
    await Promise.all(
      running.map(async (child) => {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }),
    );
  }

  /** Ctrl-C reaches only this process, which stops the others in order. They stop as well when this process ends. */
  private launch(
    script: string,
    args: string[],
    env: NodeJS.ProcessEnv,
    output: 'pipe' | 'inherit',
  ): ChildProcess {
    const child = spawn(process.execPath, ['--import', EXIT_WITH_PARENT, join(ROOT, script), ...args], {
      cwd: ROOT,
      env: { ...this.env, ...env },
      detached: true,
      stdio: ['ignore', output, output, 'ipc'],
    });
    this.children.push(child);
    return child;
  }
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** Reads process ids until its input ends, which it does with the process of the test. Then it ends them and PostgreSQL. */
const SCRIPT = `
  while read -r pid; do pids="$pids $pid"; done
  for directory; do
    for file in "$directory"/*/postmaster.pid; do
      [ ! -f "$file" ] || pids="$pids $(head -n 1 "$file")"
    done
  done
  [ -z "$pids" ] || kill -QUIT $pids
  sleep 1
  rm -rf "$@"`;

/**
 * Ends servers and removes their files if the process of the test ends without stopping them, such as by Ctrl-C or a crash.
 * Programs end by themselves then: see ServiceProcess.
 */
export class Guard {
  private readonly process: ChildProcess;

  /** @param directories of the servers; PostgreSQL in a folder of one of them needs no {@link add} */
  constructor(...directories: readonly string[]) {
    this.process = spawn('sh', ['-c', SCRIPT, 'sh', ...directories], {
      // Ctrl-C does not reach it.
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.process.unref();
    (this.process.stdin as unknown as { unref(): void }).unref();
  }

  /** Adds a server that was started. */
  add(pid: number): void {
    this.process.stdin!.write(`${pid}\n`);
  }

  /** Leaves everything as it is, for the test has stopped its servers. */
  async stop(): Promise<void> {
    const exited = once(this.process, 'exit');
    // Nothing else may keep this process running until then.
    this.process.ref();
    this.process.kill('SIGKILL');
    await exited;
  }

  /** Does what the end of this process does. */
  end(): void {
    this.process.stdin!.end();
  }
}

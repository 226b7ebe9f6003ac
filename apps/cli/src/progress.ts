import { SingleBar } from 'cli-progress';

/**
 * Runs `work` with a progress bar on a terminal, and with a signal that the first Ctrl-C or SIGTERM aborts. A second one
 * ends the process at once.
 */
export async function withProgress<T>(
  { action, total, isShown }: { action: string; total: number; isShown: boolean },
  work: (signal: AbortSignal, onProgress: (done: number) => void) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const abort = () => {
    controller.abort();
  };
  const bar = isShown && process.stderr.isTTY ? createBar(action) : undefined;
  process.once('SIGINT', abort);
  process.once('SIGTERM', abort);
  bar?.start(total, 0);
  try {
    return await work(controller.signal, (done) => bar?.update(done));
  } finally {
    bar?.stop();
    process.off('SIGINT', abort);
    process.off('SIGTERM', abort);
  }
}

function createBar(action: string): SingleBar {
  return new SingleBar({
    format: `${action} [{bar}] {percentage}% {value} of {total}, {eta_formatted} left`,
    barCompleteChar: '#',
    barIncompleteChar: '.',
    barsize: 30,
    hideCursor: true,
    stream: process.stderr,
    // The command handles Ctrl-C and clears the bar itself.
    gracefulExit: false,
  });
}

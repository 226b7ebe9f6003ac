import { SingleBar } from 'cli-progress';

/** A progress bar on standard error. `things` are what is counted. */
export function createProgressBar(action: string, things: string): SingleBar {
  return new SingleBar({
    format: `${action} [{bar}] {percentage}% {value} of {total} ${things}, {eta_formatted} left`,
    barCompleteChar: '#',
    barIncompleteChar: '.',
    barsize: 30,
    hideCursor: true,
    stream: process.stderr,
    // The command handles Ctrl-C and clears the bar itself.
    gracefulExit: false,
  });
}

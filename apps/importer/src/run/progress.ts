import { MultiBar, type SingleBar } from 'cli-progress';
import { escapeForTerminal } from '@portage/text';

/** A step of the run with its progress. */
export interface Step {
  label: string;
  /** The fraction that is done, 0 to 1. */
  fraction: number;
  details: string;
}

/** Displays progress on standard error; standard output is for the summary. */
export interface Progress {
  /** Shows the progress of the given steps. Steps that were shown before and are not given keep their state. */
  show(steps: readonly Step[]): void;
  /** Prints a line that stays. */
  note(line: string): void;
  /** Restores the terminal. */
  end(): void;
}

/** Interval between lines of ProgressLines. */
export const PROGRESS_LINE_INTERVAL_MS = 5000;

/** Shows a progress bar for each step, for terminals. */
export class ProgressBars implements Progress {
  private readonly multiBar = new MultiBar({
    format: '{label} [{bar}] {percentage}% {details}',
    barCompleteChar: '#',
    barIncompleteChar: '.',
    barsize: 30,
    hideCursor: true,
    stream: process.stderr,
    // The tool handles Ctrl-C itself: it stops gracefully and clears the bars.
    gracefulExit: false,
  });
  private readonly bars = new Map<string, SingleBar>();

  show(steps: readonly Step[]): void {
    for (const { label, fraction, details } of steps) {
      let bar = this.bars.get(label);
      if (bar === undefined) {
        bar = this.multiBar.create(1000, 0, { label: label.padEnd(9), details: '' });
        this.bars.set(label, bar);
      }
      bar.update(Math.floor(fraction * 1000), { details: escapeForTerminal(details) });
    }
  }

  note(line: string): void {
    this.multiBar.log(`${escapeForTerminal(line)}\n`);
  }

  end(): void {
    this.multiBar.stop();
  }
}

/** Prints a line whenever the progress has changed, for logs and pipes. */
export class ProgressLines implements Progress {
  private last = '';

  constructor(private readonly write: (line: string) => void) {}

  show(steps: readonly Step[]): void {
    const line = steps
      .map(({ label, fraction, details }) => `${label} ${Math.floor(fraction * 100)}%: ${details}`)
      .join('; ');
    if (line !== this.last) this.write(`${line}\n`);
    this.last = line;
  }

  note(line: string): void {
    this.write(`${line}\n`);
  }

  end(): void {
    // Lines need no cleanup.
  }
}

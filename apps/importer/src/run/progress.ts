import { MultiBar, type SingleBar } from 'cli-progress';

/** One thing that is under way. */
export interface Step {
  what: string;
  /** How much of it is done, 0 to 1. */
  share: number;
  says: string;
}

/** What is shown while things go over. It goes to standard error: standard output is for the summary. */
export interface Progress {
  /** Shows how far the steps are; those shown before and not named now stay as they were. */
  show(steps: readonly Step[]): void;
  /** Leaves the terminal in order. */
  end(): void;
}

export const PLAIN_LINE_EVERY_MS = 5000;

/** A bar for each step. */
export class ProgressBars implements Progress {
  private readonly multiBar = new MultiBar({
    format: '{what} [{bar}] {percentage}% {says}',
    barCompleteChar: '#',
    barIncompleteChar: '.',
    barsize: 30,
    hideCursor: true,
    stream: process.stderr,
    // Ctrl-C is ours: the tool stops in order and clears the bars itself.
    gracefulExit: false,
  });
  private readonly bars = new Map<string, SingleBar>();

  show(steps: readonly Step[]): void {
    for (const { what, share, says } of steps) {
      let bar = this.bars.get(what);
      if (bar === undefined) {
        bar = this.multiBar.create(1000, 0, { what: what.padEnd(9), says: '' });
        this.bars.set(what, bar);
      }
      bar.update(Math.floor(share * 1000), { says });
    }
  }

  end(): void {
    this.multiBar.stop();
  }
}

/** For logs and pipes: a line of its own every few seconds. */
export class ProgressLines implements Progress {
  private last = '';

  constructor(private readonly write: (line: string) => void) {}

  show(steps: readonly Step[]): void {
    const line = steps
      .map(({ what, share, says }) => `${what} ${Math.floor(share * 100)}%: ${says}`)
      .join('; ');
    if (line !== this.last) this.write(`${line}\n`);
    this.last = line;
  }

  end(): void {
    // Nothing to tidy up: each line stands for itself.
  }
}

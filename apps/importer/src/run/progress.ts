import { MultiBar, type SingleBar } from 'cli-progress';
import { type Tally } from './tally';

/** What is shown while the book goes over. It goes to standard error: standard output is for the summary. */
export interface Progress {
  /** Shows how far things are. @param fractionRead the share of the book that has been read, 0 to 1 */
  show(tally: Tally, fractionRead: number): void;
  /** Shows the last state and leaves the terminal in order. */
  end(tally: Tally, fractionRead: number): void;
}

export const PLAIN_LINE_EVERY_MS = 5000;

/** Two bars: the book handed over, and of the accounts accepted from it those that have come to an end. */
export class ProgressBars implements Progress {
  private readonly bars: MultiBar;
  private readonly sent: SingleBar;
  private readonly ended: SingleBar;

  constructor(following: boolean) {
    this.bars = new MultiBar({
      format: '{what} [{bar}] {percentage}% {says}',
      barCompleteChar: '#',
      barIncompleteChar: '.',
      barsize: 30,
      hideCursor: true,
      stream: process.stderr,
      // Ctrl-C is ours: the tool stops in order and clears the bars itself.
      gracefulExit: false,
    });
    this.sent = this.bars.create(1000, 0, { what: 'sent     ', says: '' });
    this.ended = this.bars.create(1000, 0, { what: 'processed', says: '' });
    if (!following) this.bars.remove(this.ended);
  }

  show(tally: Tally, fractionRead: number): void {
    this.sent.update(Math.round(fractionRead * 1000), { says: sentWords(tally) });
    const ended = tally.accepted - tally.unfinished;
    // Of what will be accepted, as far as can be told from the share of the book that has been read.
    const share = tally.accepted === 0 ? 0 : (ended / tally.accepted) * fractionRead;
    this.ended.update(Math.floor(share * 1000), { says: endedWords(tally) });
  }

  end(tally: Tally, fractionRead: number): void {
    this.show(tally, fractionRead);
    this.bars.stop();
  }
}

/** For logs and pipes: a line of its own every few seconds. */
export class ProgressLines implements Progress {
  private last = '';

  constructor(private readonly write: (line: string) => void) {}

  show(tally: Tally, fractionRead: number): void {
    const line = `${Math.floor(fractionRead * 100)}% of the book read; ${sentWords(tally)}; ${endedWords(tally)}`;
    if (line !== this.last) this.write(`${line}\n`);
    this.last = line;
  }

  end(tally: Tally, fractionRead: number): void {
    this.show(tally, fractionRead);
  }
}

function sentWords(tally: Tally): string {
  const parts = [`${tally.accepted} accepted`, `${tally.refused} refused`];
  if (tally.alreadyImported > 0) parts.push(`${tally.alreadyImported} already imported`);
  if (tally.unreachable > 0) parts.push(`${tally.unreachable} unreachable`);
  return parts.join(', ');
}

function endedWords(tally: Tally): string {
  const parts = [`${tally.processed} processed`];
  if (tally.dryRunSucceeded > 0) parts.push(`${tally.dryRunSucceeded} rehearsed`);
  if (tally.errored > 0) parts.push(`${tally.errored} errored`);
  return parts.join(', ');
}

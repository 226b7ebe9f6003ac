/**
 * Turns the first SIGINT or SIGTERM into an abort, which lets what is under way be finished and reported. The
 * second one ends the process at once, for those who cannot wait.
 *
 * A second one within a second is the same Ctrl-C again: a terminal sends it to the whole process group, and the
 * npm or the parent process that started the tool may pass it on as well.
 */
export class StopRequest {
  private readonly controller = new AbortController();
  private firstAt: number | undefined;

  constructor(private readonly onFirst: () => void) {
    process.on('SIGINT', this.listener);
    process.on('SIGTERM', this.listener);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Someone asked for it: not a stop of our own. */
  get received(): boolean {
    return this.firstAt !== undefined;
  }

  /** Stops for a reason of our own. */
  stop(): void {
    this.controller.abort();
  }

  release(): void {
    process.off('SIGINT', this.listener);
    process.off('SIGTERM', this.listener);
  }

  private readonly listener = (): void => {
    if (this.firstAt === undefined) {
      this.firstAt = Date.now();
      this.onFirst();
      this.controller.abort();
    } else if (Date.now() - this.firstAt > SAME_STOP_MS) {
      process.exit(INTERRUPTED);
    }
  };
}

const SAME_STOP_MS = 1000;

/** Exit status of a run that was asked to stop. */
export const INTERRUPTED = 130;

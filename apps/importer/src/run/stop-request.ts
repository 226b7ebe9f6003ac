/**
 * Turns the first SIGINT or SIGTERM into an abort, so that the requests in progress are finished and reported. A
 * second signal ends the process immediately.
 *
 * A second signal within a second is a duplicate of the same Ctrl-C and is ignored: a terminal signals the whole
 * process group, and npm or the parent process may forward the signal as well.
 */
export class StopRequest {
  private readonly controller = new AbortController();
  private firstSignalAt: number | undefined;

  constructor(private readonly onFirst: () => void) {
    process.on('SIGINT', this.listener);
    process.on('SIGTERM', this.listener);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** True if a signal was received, false if only `stop` was called. */
  get isReceived(): boolean {
    return this.firstSignalAt !== undefined;
  }

  /** Stops without a signal, for an internal reason. */
  stop(): void {
    this.controller.abort();
  }

  removeListeners(): void {
    process.off('SIGINT', this.listener);
    process.off('SIGTERM', this.listener);
  }

  private readonly listener = (): void => {
    if (this.firstSignalAt === undefined) {
      this.firstSignalAt = Date.now();
      this.onFirst();
      this.controller.abort();
    } else if (Date.now() - this.firstSignalAt > REPEATED_SIGNAL_MS) {
      process.exit(INTERRUPTED);
    }
  };
}

const REPEATED_SIGNAL_MS = 1000;

/** Exit status of a run that was stopped by a signal. */
export const INTERRUPTED = 130;

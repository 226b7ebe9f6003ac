import { SingleFlight } from '../values/single-flight';
import { withTimeout } from '../values/with-timeout';

/** Maximum time that a scrape waits for the queue or the database. A scrape omits figures that are late. */
export const SCRAPE_TIMEOUT_MS = 1_000;

/** A read that scrapes of the metrics share: one that starts while it runs joins it, so that they do not pile up. */
export class ScrapedRead<Result> {
  private readonly flight = new SingleFlight<Result>();

  constructor(
    private readonly read: () => Promise<Result>,
    private readonly timeoutMs: number = SCRAPE_TIMEOUT_MS,
  ) {}

  /**
   * The result of the read that runs, or of a new one.
   *
   * @throws the error of the read; an Error if it takes longer than the timeout. It runs on, and the next scrape joins it.
   */
  async join(): Promise<Result> {
    return withTimeout(this.timeoutMs, this.flight.join(this.read));
  }
}

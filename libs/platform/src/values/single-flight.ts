/** Lets concurrent callers share one run: a call that arrives while one is in progress gets its result. */
export class SingleFlight<Result> {
  private running: Promise<Result> | undefined;

  get isRunning(): boolean {
    return this.running !== undefined;
  }

  /**
   * The result of the run in progress, or of a new one.
   *
   * @throws the error of the run
   */
  async join(run: () => Promise<Result>): Promise<Result> {
    this.running ??= run().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }
}

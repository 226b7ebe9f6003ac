import { Injectable } from '@nestjs/common';
import { ImportProcessRollupRepository } from './import-process-rollup.repository';

/** Events that one statement adds to the minutes. */
const STEP_EVENTS = 50_000;

/** Statements for one supplier in a minute. What is left is added a minute later. */
const MAX_STEPS = 20;

/** Adds up the minutes of all suppliers, from the events and counts that are stored anyway (ADR 0222). */
@Injectable()
export class RollUpImportProcesses {
  constructor(private readonly rollup: ImportProcessRollupRepository) {}

  /**
   * Safe to repeat and to run concurrently: each event is added once.
   *
   * @returns the number of events that were added
   */
  async run(): Promise<number> {
    let total = 0;
    for (const supplierId of await this.rollup.prepare())
      for (let step = 0; step < MAX_STEPS; step += 1) {
        const count = await this.rollup.rollUpEvents(supplierId, STEP_EVENTS);
        total += count;
        if (count < STEP_EVENTS) break;
      }
    await this.rollup.rollUpCounts();
    await this.rollup.countErrors();
    await this.rollup.removeOld();
    return total;
  }
}

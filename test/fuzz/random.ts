import { Random as SampleRandom } from '../../apps/importer/src/sample/random';

/** The sample book's numbers that look random and are the same for the same seed. */
export class Random extends SampleRandom {
  /** Of choices that may be none at all, or null or undefined themselves. */
  override pick<T>(choices: readonly T[]): T {
    if (choices.length === 0) throw new Error('There is nothing to pick from.');
    return choices[this.between(0, choices.length - 1)] as T;
  }
}

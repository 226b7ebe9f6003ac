import { Random as SampleRandom } from '../../apps/importer/src/sample/random';

/** The seeded random generator of the sample book. */
export class Random extends SampleRandom {
  /** Picks one of the choices, which may include null and undefined. @throws Error if there are none */
  override pick<T>(choices: readonly T[]): T {
    if (choices.length === 0) throw new Error('There is nothing to pick from.');
    return choices[this.between(0, choices.length - 1)] as T;
  }
}

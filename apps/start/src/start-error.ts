/** Something that keeps the demo from starting, with a sentence for the person who started it. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

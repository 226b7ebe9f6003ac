/** Rejects an operator's command. Its message is one sentence that says why, and how to correct the command. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** An operator's command that cannot be carried out, with a sentence that says why and how to mend it. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

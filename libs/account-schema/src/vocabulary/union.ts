import { Choice } from './decorators';
import { type ObjectType, type Union } from './shape';

/** Declares a union; each variant must itself declare the discriminator with its one value. */
export function unionOf(
  name: string,
  about: string,
  discriminator: string,
  variants: Readonly<Record<string, ObjectType>>,
): Union {
  class Undecided {
    readonly [field: string]: unknown;
  }
  const choice = Choice('Selects the variant.', Object.keys(variants), { required: true });
  choice(Undecided.prototype, discriminator);
  return { name, about, discriminator, variants, undecided: Undecided };
}

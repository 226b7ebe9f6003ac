import { Choice } from './decorators';
import type { ObjectType, Union } from './shape';

/** Declares a union. Each variant must declare the discriminator itself, with its single value. */
export function unionOf(
  name: string,
  about: string,
  discriminator: string,
  variants: Readonly<Record<string, ObjectType>>,
): Union {
  class DiscriminatorOnly {
    readonly [field: string]: string;
  }
  const choice = Choice('Selects the variant.', Object.keys(variants), { required: true });
  choice(DiscriminatorOnly.prototype, discriminator);
  return { name, about, discriminator, variants, discriminatorOnly: DiscriminatorOnly };
}

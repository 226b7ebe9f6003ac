import { CHECKOUT } from './checkout';

/** A measured program: a compiled API and worker that read the same settings and serve the same paths. */
export interface Program {
  readonly name: string;
  /** The checkout that contains the compiled scripts, and whose migrations create the database. */
  readonly checkout: string;
  readonly api: string;
  readonly worker: string;
  /** True if requests need a token. */
  readonly needsToken: boolean;
}

/** The service with all its features. */
export const portage = portageOf('Portage', CHECKOUT);

/** Bare Fastify, compiled validation and `pg`, with batches on both sides: the fastest program for the same rows. */
export const batched = yardstick('batched');

/** The usual first version of a team: Nest on Fastify, ValidationPipe, TypeORM `save`, one job per account. */
export const stock = yardstick('stock');

/** The service as another checkout builds it. */
export function portageOf(name: string, checkout: string): Program {
  return {
    name,
    checkout,
    needsToken: true,
    api: 'apps/api/src/main.js',
    worker: 'apps/worker/src/main.js',
  };
}

function yardstick(name: string): Program {
  const script = (part: string) => `bench/yardsticks/${name}/${part}.js`;
  return { name, checkout: CHECKOUT, api: script('api'), worker: script('worker'), needsToken: false };
}

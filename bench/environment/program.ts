/** A measured program: a compiled API and worker that read the same settings and serve the same paths. */
export interface Program {
  readonly name: string;
  readonly api: string;
  /** Undefined if only the API is compared. */
  readonly worker?: string;
  /** True if requests need a token. */
  readonly needsToken: boolean;
}

/** The service with all its features. */
export const portage: Program = {
  name: 'Portage',
  api: 'apps/api/src/main.js',
  worker: 'apps/worker/src/main.js',
  needsToken: true,
};

/** A hand-written equivalent: Fastify, compiled validation, pg, one statement and one job per account. */
export const straight = yardstick('straight', 'straight-api', 'straight-worker');

/** Like {@link straight}, with concurrent accounts batched into one statement and one `addBulk`. */
export const batched = yardstick('batched', 'batched-api', 'batched-worker');

/** The usual first version of a team: Nest on Express, ValidationPipe, TypeORM `save`, one job per account. */
export const stock = yardstick('stock', 'stock/api', 'stock/worker');

/** Plain Fastify for single requests, without token, log and rules. */
export const bare: Program = { name: 'bare', api: 'bench/yardsticks/bare-api.js', needsToken: false };

function yardstick(name: string, api: string, worker: string): Program {
  const script = (part: string) => `bench/yardsticks/${part}.js`;
  return { name, api: script(api), worker: script(worker), needsToken: false };
}

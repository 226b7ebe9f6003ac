/** What is measured: an API and a worker, compiled, that read the same settings and answer at the same paths. */
export interface Program {
  readonly name: string;
  readonly api: string;
  /** Undefined where the API alone is compared. */
  readonly worker?: string;
  /** Whether requests need a token. */
  readonly signsIn: boolean;
}

/** The service, with everything it has. */
export const portage: Program = {
  name: 'Portage',
  api: 'apps/api/src/main.js',
  worker: 'apps/worker/src/main.js',
  signsIn: true,
};

/** The same work by hand: Fastify, compiled validation, pg, one statement and one job an account. */
export const straight = yardstick('straight', 'straight-api', 'straight-worker');

/** As {@link straight}, but what comes at the same time shares its statement and goes to the queue together. */
export const batched = yardstick('batched', 'batched-api', 'batched-worker');

/** What a team would write first: Nest on Express, ValidationPipe, TypeORM `save`, one job an account. */
export const stock = yardstick('stock', 'stock/api', 'stock/worker');

/** Fastify alone, for single requests: no token, no log, no rules. */
export const bare: Program = { name: 'bare', api: 'bench/yardsticks/bare-api.js', signsIn: false };

function yardstick(name: string, api: string, worker: string): Program {
  const script = (part: string) => `bench/yardsticks/${part}.js`;
  return { name, api: script(api), worker: script(worker), signsIn: false };
}

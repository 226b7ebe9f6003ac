import { seededRandom } from '@portage/testing/installation';
import { explore, findShortestWays, type Step } from './explorer';
import { ImportProcessModel, type ModelOptions } from './import-process-model';
import { describeState, type State } from './import-process-state';
import { MUTATIONS } from './mutations';
import { RealImport } from './real-import';

/*
 * Every kind of step of the model, and random walks through it, are taken with the real statements, use cases, processor
 * and queue on PostgreSQL. After each step both have the same state, so what the exploration says of the model holds for
 * the product. A failure prints the steps; MODEL_SEED repeats its random walks.
 */

const WALKS = process.env['MODEL_IN_FULL'] ? 200 : 4;
const MAX_STEPS = 40;
/** A walk takes a fraction of this on a machine without other work. */
const WALK_TIMEOUT_MS = 5_000;

const BUDGET = {
  posts: 2,
  cancels: 1,
  releases: 1,
  retries: 2,
  rollbacks: 1,
  corrections: 2,
  takeBacks: 1,
  additions: 2,
  erasures: 1,
  crashes: 1,
  expiries: 2,
  failures: 2,
  refusals: 1,
  losses: 1,
  delays: 2,
  settings: 2,
};

const ONE_OF_EACH = { ...Object.fromEntries(Object.keys(BUDGET).map((kind) => [kind, 1])), settings: 2 };

/** For the ways from an imported account, which are longer. */
const CORRECTIONS = {
  posts: 1,
  corrections: 1,
  takeBacks: 1,
  rollbacks: 1,
  additions: 1,
  erasures: 1,
  expiries: 1,
  failures: 1,
  refusals: 1,
  losses: 1,
  delays: 1,
};

const VARIANTS: Omit<ModelOptions, 'budget'>[] = [
  { mode: 'direct', isBatched: false, hasWindow: false },
  { mode: 'direct', isBatched: true, hasWindow: false },
  { mode: 'staged', isBatched: false, hasWindow: false },
  { mode: 'direct', isBatched: false, hasWindow: true },
  { mode: 'direct', isBatched: false, hasWindow: false, isImported: true },
];

/** What a step does, without the number of its worker and its job: the same in every walk. */
const kindOf = ({ name }: Step<State>) =>
  name
    .replace(/worker \d/, 'worker')
    .replace(/request \d/, 'request')
    .replace(/job (batch|\d+)/, 'job')
    .replace(/ \(\w+\)/, '');

let real: RealImport;

beforeAll(async () => {
  real = await RealImport.start();
});
afterAll(async () => {
  await real.close();
});

type Variant = (typeof VARIANTS)[number];

/** Takes each step that `choose` returns in the model and in reality, and compares both after it. */
async function replay(
  title: string,
  variant: Variant,
  choose: (steps: readonly Step<State>[], count: number) => Step<State> | undefined,
): Promise<void> {
  const model = new ImportProcessModel({ ...variant, budget: BUDGET });
  const trace = [`${title}, ${JSON.stringify(variant)}`];
  await real.begin(variant);
  let state = model.initial;
  for (let count = 0; count < MAX_STEPS; count += 1) {
    const step = choose(model.steps(state), count);
    if (!step) return;
    trace.push(`${step.name}: ${describeState(step.next)}`);
    await real.take(step.name, state).catch((error: unknown) => {
      throw new Error(trace.join('\n'), { cause: error });
    });
    state = step.next;
    const reading = await real.read();
    try {
      expect(reading).toEqual(real.expected(state));
    } catch (error) {
      // A difference alone leaves out the steps and the seed.
      throw new Error(trace.join('\n'), { cause: error });
    }
  }
}

it('every kind of step of the model is what the real statements, use cases and queue do', async () => {
  const taken = new Set<string>();
  for (const variant of VARIANTS) {
    const { isImported } = variant;
    const model = new ImportProcessModel({ ...variant, budget: isImported ? CORRECTIONS : ONE_OF_EACH });
    // A long way takes steps of several kinds.
    for (const [kind, way] of [...findShortestWays(model, kindOf, 9)].reverse()) {
      if (taken.has(kind)) continue;
      await replay(kind, variant, (steps, count) => steps.find(({ name }) => name === way[count]?.name));
      for (const step of way) taken.add(kindOf(step));
    }
  }
  expect(taken.size).toBe(57);
});

it('the steps that break a rule of the model without one of its parts break none in reality', async () => {
  for (const [without, start, budget] of MUTATIONS) {
    const { counterexample } = explore(new ImportProcessModel({ ...start, budget, without }), MAX_STEPS);
    const way = counterexample!.steps;
    // Where the whole model forbids a step of the way, the workers go on by themselves.
    await replay(
      without,
      start,
      (steps, count) =>
        steps.find(({ name }) => name === way[count]?.name) ??
        steps.find(({ name }) => /^worker \d(:| takes)/.test(name)),
    );
  }
});

it(
  'random walks through the model are what the real statements, use cases and queue do',
  async () => {
    const seed = Number(process.env['MODEL_SEED'] ?? Date.now() % 2 ** 31);
    const random = seededRandom(seed);
    const taken = new Map<string, number>();
    const timesTaken = (step: Step<State>) => taken.get(kindOf(step)) ?? 0;
    for (let walk = 0; walk < WALKS; walk += 1)
      await replay(`MODEL_SEED=${seed}, walk ${walk}`, VARIANTS[walk % VARIANTS.length]!, (steps) => {
        const step = chooseStep(steps, (candidate) => 1 / (1 + timesTaken(candidate)), random);
        if (step) taken.set(kindOf(step), timesTaken(step) + 1);
        return step;
      });
  },
  60_000 + WALKS * WALK_TIMEOUT_MS,
);

/** Takes steps of kinds that were rarely taken more often, so that few walks take all. */
function chooseStep(
  steps: readonly Step<State>[],
  weightOf: (step: Step<State>) => number,
  random: () => number,
): Step<State> | undefined {
  const weights = steps.map(weightOf);
  let rest = random() * weights.reduce((sum, weight) => sum + weight, 0);
  return steps.find((_step, index) => (rest -= weights[index]!) <= 0) ?? steps.at(-1);
}

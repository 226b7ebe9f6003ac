/** One step that a state allows: what happens, and the state after it. */
export interface Step<State> {
  name: string;
  next: State;
}

/** A system whose interleavings are explored. States are plain data and are never changed. */
export interface Model<State> {
  initial: State;
  /** Every step that the state allows, of every actor. */
  steps(state: State): readonly Step<State>[];
  /** What is wrong with the state, or with the step that led to it; undefined if nothing is. */
  violation(before: State | undefined, state: State): string | undefined;
  /** A key that equivalent states share. */
  keyOf(state: State): string;
  /**
   * The step that a fair system takes next when no fault occurs any more and no client sends anything; undefined at the
   * end.
   */
  fairStep(state: State): Step<State> | undefined;
}

/** The shortest way to a state that must not be reached. */
interface Counterexample<State> {
  violation: string;
  steps: readonly Step<State>[];
}

/** What an exploration has found. */
interface Exploration<State> {
  stateCount: number;
  stepCount: number;
  /** The greatest number of steps from the start. */
  depth: number;
  /** True if every reachable state was seen: a greater depth would find nothing more. */
  isComplete: boolean;
  counterexample: Counterexample<State> | undefined;
}

interface Visited<State> {
  state: State;
  from: Visited<State> | undefined;
  name: string;
}

/**
 * Visits every state that is at most `maxDepth` steps from the start, breadth first, so that a counterexample is a
 * shortest one. From each state a fair system must come to its end.
 */
export function explore<State>(model: Model<State>, maxDepth: number): Exploration<State> {
  const seen = new Set<string>([model.keyOf(model.initial)]);
  const ending = new Set<string>();
  let level: Visited<State>[] = [{ state: model.initial, from: undefined, name: 'start' }];
  let stepCount = 0;
  let depth = 0;
  const found = (visited: Visited<State>, violation: string, more: readonly Step<State>[] = []) => ({
    stateCount: seen.size,
    stepCount,
    depth,
    isComplete: false,
    counterexample: { violation, steps: [...stepsTo(visited), ...more] },
  });
  while (level.length > 0 && depth < maxDepth) {
    const nextLevel: Visited<State>[] = [];
    for (const visited of level)
      for (const { name, next } of model.steps(visited.state)) {
        stepCount += 1;
        const reached = { state: next, from: visited, name };
        const violation = model.violation(visited.state, next);
        if (violation !== undefined) return found(reached, violation);
        const key = model.keyOf(next);
        if (seen.has(key)) continue;
        seen.add(key);
        const endless = findEndless(model, next, key, ending);
        if (endless)
          return found(reached, 'The process never ends, although nothing fails any more.', endless);
        nextLevel.push(reached);
      }
    if (nextLevel.length > 0) depth += 1;
    level = nextLevel;
  }
  const isComplete = level.length === 0;
  return { stateCount: seen.size, stepCount, depth, isComplete, counterexample: undefined };
}

/** The fair steps from a state if they do not come to an end; undefined if they do. */
function findEndless<State>(
  model: Model<State>,
  from: State,
  keyOfFrom: string,
  ending: Set<string>,
): readonly Step<State>[] | undefined {
  const steps: Step<State>[] = [];
  const path = new Set<string>();
  for (let state = from, key = keyOfFrom; ;) {
    if (ending.has(key)) break;
    // The fair steps depend on the state alone, so they go round from here.
    if (path.has(key)) return steps;
    path.add(key);
    const step = model.fairStep(state);
    if (!step) break;
    steps.push(step);
    state = step.next;
    key = model.keyOf(state);
  }
  for (const key of path) ending.add(key);
  return undefined;
}

function stepsTo<State>(visited: Visited<State>): Step<State>[] {
  const steps: Step<State>[] = [];
  for (let at = visited; at.from; at = at.from) steps.unshift({ name: at.name, next: at.state });
  return steps;
}

/** The shortest way to a step of each kind, for the steps that are at most `maxDepth` from the start. */
export function findShortestWays<State>(
  model: Pick<Model<State>, 'initial' | 'steps' | 'keyOf'>,
  kindOf: (step: Step<State>) => string,
  maxDepth: number,
): Map<string, readonly Step<State>[]> {
  const ways = new Map<string, readonly Step<State>[]>();
  const seen = new Set<string>([model.keyOf(model.initial)]);
  let level: Visited<State>[] = [{ state: model.initial, from: undefined, name: 'start' }];
  for (let depth = 0; depth < maxDepth && level.length > 0; depth += 1) {
    const nextLevel: Visited<State>[] = [];
    for (const visited of level)
      for (const step of model.steps(visited.state)) {
        const reached = { state: step.next, from: visited, name: step.name };
        const kind = kindOf(step);
        if (!ways.has(kind)) ways.set(kind, stepsTo(reached));
        const key = model.keyOf(step.next);
        if (seen.has(key)) continue;
        seen.add(key);
        nextLevel.push(reached);
      }
    level = nextLevel;
  }
  return ways;
}

/** The steps of a counterexample as text, one line each, with what `describe` says about the state after it. */
export function formatTrace<State>(
  { violation, steps }: Counterexample<State>,
  describe: (state: State) => string,
): string {
  const lines = steps.map(
    ({ name, next }, index) => `${String(index + 1).padStart(2)}. ${name}\n      ${describe(next)}`,
  );
  return [violation, ...lines].join('\n');
}

import { nextTurn, runInSlices } from './cpu-turns';
import { charactersOf, inheritSize, isLarge, recordSize } from './is-large';

describe('long work', () => {
  /** Steps that each take longer than a slice. */
  function* work(name: string, steps: number, done: string[]): Generator<undefined, string, undefined> {
    for (let step = 1; step <= steps; step += 1) {
      const start = performance.now();
      while (performance.now() - start < 2);
      done.push(`${name}${step}`);
      yield;
    }
    return name;
  }

  it('takes turns with other long work, and other callbacks run between two turns', async () => {
    const done: string[] = [];
    const turns: number[] = [];
    const ticker = setInterval(() => turns.push(done.length), 0);
    const results = await Promise.all([runInSlices(work('a', 3, done)), runInSlices(work('b', 2, done))]);
    clearInterval(ticker);
    expect(results).toEqual(['a', 'b']);
    expect(done).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
    expect(new Set(turns).size).toBeGreaterThan(1);
  });

  it('does not wait if it is done within a slice', async () => {
    function* short(): Generator<undefined, string, undefined> {
      yield;
      return 'done';
    }
    const order: string[] = [];
    setImmediate(() => order.push('next turn'));
    order.push(await runInSlices(short()));
    expect(order).toEqual(['done']);
  });

  it('has a turn of its own if it cannot be divided', async () => {
    const order: string[] = [];
    await Promise.all(
      ['first', 'second'].map(async (name) => {
        await nextTurn();
        order.push(name);
        await Promise.resolve();
        order.push(`${name} ends`);
      }),
    );
    expect(order).toEqual(['first', 'first ends', 'second', 'second ends']);
  });

  it('rejects if it fails, and the rest continues', async () => {
    const done: string[] = [];

    function* failing(): Generator<undefined, never, undefined> {
      throw new RangeError('broken');
    }
    const failed = expect(runInSlices(failing())).rejects.toThrow('broken');
    expect(await runInSlices(work('c', 1, done))).toBe('c');
    await failed;
  });
});

describe('a body', () => {
  it.each<[number, number, boolean]>([
    [2_000, 500_000, false],
    [2_001, 1, true],
    [1, 500_001, true],
  ])('a body of %i values and %i characters is large: %s', (values, characters, expected) => {
    const [body, member] = [{}, {}];
    recordSize(body, { values, characters });
    inheritSize(body, member);
    expect([isLarge(body), isLarge(member)]).toEqual([expected, expected]);
    expect([charactersOf(body), charactersOf({})]).toEqual([characters, 0]);
  });
});

import { nextTurn, runInTurns } from './cpu-turns';
import { inheritSize, isLarge, recordSize } from './is-large';

describe('long work', () => {
  function* work(name: string, steps: number, done: string[]): Generator<undefined, string, undefined> {
    for (let step = 1; step <= steps; step += 1) {
      done.push(`${name}${step}`);
      yield;
    }
    return name;
  }

  it('takes turns with other long work, and other callbacks run between two turns', async () => {
    const done: string[] = [];
    const turns: number[] = [];
    const ticker = setInterval(() => turns.push(done.length), 0);
    const results = await Promise.all([runInTurns(work('a', 3, done)), runInTurns(work('b', 2, done))]);
    clearInterval(ticker);
    expect(results).toEqual(['a', 'b']);
    expect(done).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
  });

  it('that cannot be divided has a turn of its own', async () => {
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

  it('that fails rejects, and the rest continues', async () => {
    const done: string[] = [];

    function* failing(): Generator<undefined, never, undefined> {
      throw new RangeError('broken');
    }
    const failed = expect(runInTurns(failing())).rejects.toThrow('broken');
    expect(await runInTurns(work('c', 1, done))).toBe('c');
    await failed;
  });
});

describe('a body', () => {
  it.each<[string, unknown, boolean]>([
    ['an ordinary account', { a: [1, 2, { b: 'text' }], c: null }, false],
    ['many values in a list', { a: Array.from({ length: 2_000 }, () => 0) }, true],
    ['many keys', Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`k${i}`, 0])), true],
    ['much text', { a: 'x'.repeat(500_001) }, true],
    ['deep nesting', JSON.parse('['.repeat(3_000) + ']'.repeat(3_000)), true],
  ])('is large or not, by its values and characters: %s', (_name, body, expected) => {
    expect(isLarge(body)).toBe(expected);
  });

  it('is not read again if its text was small', () => {
    const unreadable = () => ({
      get value(): never {
        throw new Error('read');
      },
    });
    const [body, member, unknown] = [unreadable(), unreadable(), unreadable()];
    recordSize(body, 2_000, 500_000);
    inheritSize(body, member);
    expect([isLarge(body), isLarge(member)]).toEqual([false, false]);
    for (const [values, characters] of [
      [2_001, 1],
      [1, 500_001],
    ] as const) {
      recordSize(unknown, values, characters);
      inheritSize(unknown, unknown);
      expect(() => isLarge(unknown)).toThrow('read');
    }
  });
});

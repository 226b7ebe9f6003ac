import { Batches } from './batches';

/** A sender that notes its batches and ends each only when told to. */
function sender() {
  const batches: number[][] = [];
  const ends: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const send = async (items: number[]) => {
    batches.push(items);
    return new Promise<void>((resolve, reject) => ends.push({ resolve, reject }));
  };
  return { batches, ends, send };
}

const settled = async () => new Promise((resolve) => setImmediate(resolve));

describe('batches', () => {
  it('sends one item at once, and together what arrives meanwhile', async () => {
    const { batches, ends, send } = sender();
    const together = new Batches<number>(send, 100);
    const added = [together.add([1]), together.add([2]), together.add([3, 4])];
    expect(batches).toEqual([[1]]);
    ends[0]!.resolve();
    await settled();
    expect(batches).toEqual([[1], [2, 3, 4]]);
    ends[1]!.resolve();
    await Promise.all(added);
  });

  it('a batch that fails fails those that were in it, and no others', async () => {
    const { ends, send } = sender();
    const together = new Batches<number>(send, 100);
    const first = together.add([1]);
    const second = together.add([2]).catch((error: unknown) => (error as Error).message);
    ends[0]!.resolve();
    await first;
    await settled();
    ends[1]!.reject(new Error('away'));
    expect(await second).toBe('away');
    const third = together.add([3]);
    ends[2]!.resolve();
    await third;
  });

  it('holds no more than it may, unless more were added at once', async () => {
    const { batches, ends, send } = sender();
    const together = new Batches<number>(send, 2);
    const added = [[1], [2], [3], [4, 5, 6], [7]].map(async (items) => together.add(items));
    for (let end = 0; end < 4; end += 1) {
      ends[end]!.resolve();
      await settled();
    }
    await Promise.all(added);
    expect(batches).toEqual([[1], [2, 3], [4, 5, 6], [7]]);
  });
});

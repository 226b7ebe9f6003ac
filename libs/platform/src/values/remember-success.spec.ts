import { rememberSuccess } from './remember-success';

it('a result is read once by callers at the same time and later ones, and again after a failure', async () => {
  const read = jest.fn(async () => Promise.resolve('key'));
  read.mockRejectedValueOnce(new Error('The database is away.'));
  const remembered = rememberSuccess(read);
  await expect(Promise.all([remembered(), remembered()])).rejects.toThrow('The database is away.');
  expect(read).toHaveBeenCalledTimes(1);
  expect(await Promise.all([remembered(), remembered()])).toEqual(['key', 'key']);
  expect(await remembered()).toBe('key');
  expect(read).toHaveBeenCalledTimes(2);
});

import { ManualClock } from '../../test/manual-clock';
import { AccessToken } from './access-token';
import { type Credentials, type IssuedToken, TokenRefused } from './token-endpoint';

const HOUR = 3_600_000;

function tokenWith(answer: (credentials: Credentials) => Partial<IssuedToken> | Error) {
  const clock = new ManualClock();
  const asked: Credentials[] = [];
  const token = new AccessToken(
    'the-key',
    async (credentials) => {
      asked.push(credentials);
      const nth = asked.length;
      await Promise.resolve();
      const given = answer(credentials);
      if (given instanceof Error) throw given;
      return {
        token: `token-${nth}`,
        refreshToken: `refresh-${nth}`,
        renewAt: clock.now() + HOUR,
        refreshUntil: clock.now() + 24 * HOUR,
        ...given,
      };
    },
    clock,
  );
  return { clock, asked, token };
}

it('asks once for all requests that wait for a token, and keeps it', async () => {
  const { token, asked } = tokenWith(() => ({}));
  const tokens = await Promise.all([token.current(), token.current(), token.current()]);
  expect(tokens).toEqual(['token-1', 'token-1', 'token-1']);
  expect(await token.current()).toBe('token-1');
  expect(asked).toEqual([{ APIKey: 'the-key' }]);
});

it('renews by refresh token when it is time', async () => {
  const { token, asked, clock } = tokenWith(() => ({}));
  await token.current();
  clock.time += HOUR;
  expect(await token.current()).toBe('token-2');
  expect(asked[1]).toEqual({ refreshToken: 'refresh-1' });
});

it('falls back to the key when the refresh token is refused', async () => {
  const { token, asked, clock } = tokenWith((credentials) =>
    'refreshToken' in credentials ? new TokenRefused('spent') : {},
  );
  await token.current();
  clock.time += HOUR;
  expect(await token.current()).toBe('token-3');
  expect(asked[2]).toEqual({ APIKey: 'the-key' });
});

it('does not try a refresh token that has lapsed', async () => {
  const { token, asked, clock } = tokenWith(() => ({}));
  await token.current();
  clock.time += 25 * HOUR;
  await token.current();
  expect(asked[1]).toEqual({ APIKey: 'the-key' });
});

it('replaces a discarded token, and ignores the discarding of one already replaced', async () => {
  const { token, asked } = tokenWith(() => ({}));
  const first = await token.current();
  token.discard(first);
  expect(await token.current()).toBe('token-2');
  token.discard(first);
  expect(await token.current()).toBe('token-2');
  expect(asked).toHaveLength(2);
});

it('asks again after a failure', async () => {
  let refusals = 1;
  const { token } = tokenWith(() => (refusals-- > 0 ? new TokenRefused('no') : {}));
  await expect(token.current()).rejects.toThrow(TokenRefused);
  expect(await token.current()).toBe('token-2');
});

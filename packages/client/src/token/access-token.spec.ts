import { ManualClock } from '../../test/manual-clock';
import { AccessToken } from './access-token';
import { type Credentials, type IssuedToken, TokenRefused } from './token-endpoint';

const HOUR = 3_600_000;

function tokenWith(answer: (credentials: Credentials) => Partial<IssuedToken> | Error) {
  const clock = new ManualClock();
  const requested: Credentials[] = [];
  const token = new AccessToken(
    { APIKey: 'the-key' },
    async (credentials) => {
      requested.push(credentials);
      const nth = requested.length;
      await Promise.resolve();
      const given = answer(credentials);
      if (given instanceof Error) throw given;
      return {
        token: `token-${nth}`,
        refreshToken: `refresh-${nth}`,
        renewAt: clock.now() + HOUR,
        refreshUntil: clock.now() + 24 * HOUR,
        organisation: '1',
        ...given,
      };
    },
    clock,
  );
  return { clock, requested, token };
}

it('requests one token for all waiting requests and reuses it', async () => {
  const { token, requested } = tokenWith(() => ({}));
  const tokens = await Promise.all([token.current(), token.current(), token.current()]);
  expect(tokens).toEqual(['token-1', 'token-1', 'token-1']);
  expect(await token.current()).toBe('token-1');
  expect(requested).toEqual([{ APIKey: 'the-key' }]);
});

it('renews the token with the refresh token when it is due', async () => {
  const { token, requested, clock } = tokenWith(() => ({}));
  await token.current();
  clock.time += HOUR;
  expect(await token.current()).toBe('token-2');
  expect(requested[1]).toEqual({ refreshToken: 'refresh-1' });
});

it('falls back to the key when the refresh token is refused', async () => {
  const { token, requested, clock } = tokenWith((credentials) =>
    'refreshToken' in credentials ? new TokenRefused('spent') : {},
  );
  await token.current();
  clock.time += HOUR;
  expect(await token.current()).toBe('token-3');
  expect(requested[2]).toEqual({ APIKey: 'the-key' });
});

it('does not use an expired refresh token', async () => {
  const { token, requested, clock } = tokenWith(() => ({}));
  await token.current();
  clock.time += 25 * HOUR;
  await token.current();
  expect(requested[1]).toEqual({ APIKey: 'the-key' });
});

it('replaces an invalidated token, and ignores the invalidation of one already replaced', async () => {
  const { token, requested } = tokenWith(() => ({}));
  const first = await token.current();
  token.invalidate(first);
  expect(await token.current()).toBe('token-2');
  token.invalidate(first);
  expect(await token.current()).toBe('token-2');
  expect(requested).toHaveLength(2);
});

it('requests a token again after a failure', async () => {
  let refusals = 1;
  const { token } = tokenWith(() => (refusals-- > 0 ? new TokenRefused('no') : {}));
  await expect(token.current()).rejects.toThrow(TokenRefused);
  expect(await token.current()).toBe('token-2');
});

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

import { createHash } from 'node:crypto';
import { ActingOperator, Logger, RateLimits } from '@portage/platform';
import { until } from '@portage/testing';
import { useApplication } from '@portage/testing/application';
import { ManualClock } from '@portage/testing/manual-clock';
import { Secret, TOTP } from 'otpauth';
import { OperatorRepository } from './operator.repository';
import { OperatorSessionRepository } from './operator-session.repository';
import type { OperatorRole } from './operator';
import { FailedLogins } from './failed-logins';
import { LogIn } from './log-in';
import { OperatorAccount } from './operator-account';
import { OperatorSecrets } from './operator-secrets';
import { OperatorSessions, type SignedInOperator } from './operator-sessions';
import { Operators } from './operators';
import { PasswordAttempts } from './password-attempts';
import { PasswordHashes } from './password-hash';

const PASSWORD = 'correct horse battery';
const MINUTE = 60_000;
const START = new Date('2026-11-22T09:00:00.000Z').getTime();

const test = useApplication('postgres', { PORTAGE_OPERATOR: 'Ada' });
let operators: Operators;
let sequence = 0;

const hashes = new PasswordHashes({ N: 16, r: 1, p: 1 });
const clock = new ManualClock(START);
const settings = {
  OPERATOR_SESSION_IDLE_MINUTES: 30,
  OPERATOR_SESSION_HOURS: 12,
  TOKEN_FAILURES_PER_ADDRESS: 20,
  TOKEN_FAILURE_WINDOW_SECONDS: 300,
};

beforeAll(() => {
  operators = new Operators(test.app.get(OperatorRepository), hashes, test.app.get(ActingOperator), clock);
});
beforeEach(() => {
  clock.moveTo(START);
});

/** An instance of the API: what it remembers by itself is not shared with others. */
class Instance {
  readonly sessions: OperatorSessions;
  readonly account: OperatorAccount;
  readonly logIn: LogIn;

  constructor(passwords = hashes) {
    const { app } = test;
    const [repository, secrets, logger] = [
      app.get(OperatorRepository),
      app.get(OperatorSecrets),
      app.get(Logger),
    ];
    const attempts = new PasswordAttempts(app.get(RateLimits), settings);
    this.sessions = new OperatorSessions(app.get(OperatorSessionRepository), logger, settings, clock);
    this.account = new OperatorAccount(repository, attempts, secrets, passwords, logger, clock);
    const failures = app.get(FailedLogins);
    this.logIn = new LogIn(repository, this.sessions, attempts, secrets, passwords, failures, clock);
  }
}

const newName = () => `operator-${(sequence += 1)}`;
const newAddress = () => `10.0.${Math.floor((sequence += 1) / 250)}.${sequence % 250}`;

interface Attempt {
  totp?: string;
  address?: string;
  previousToken?: string;
}

async function logIn(instance: Instance, name: string, password: string, more: Attempt = {}) {
  const { totp, previousToken, address = newAddress() } = more;
  return instance.logIn.withPassword({ name, password, totp, previousToken, address });
}

async function attempt(
  instance: Instance,
  name: string,
  password: string,
  more: Attempt = {},
): Promise<string> {
  const outcome = await logIn(instance, name, password, more);
  return outcome.outcome === 'opened' ? outcome.token : outcome.outcome;
}

/** An operator who has chosen PASSWORD, signed in. */
async function signedIn(
  instance: Instance,
  role: OperatorRole = 'viewer',
): Promise<{ name: string; token: string; operator: SignedInOperator }> {
  const name = newName();
  const { one_time_password: oneTime } = await operators.create(name, role);
  const token = await attempt(instance, name, oneTime);
  const operator = (await instance.sessions.authenticate(token))!;
  await instance.account.changePassword(operator, newAddress(), oneTime, PASSWORD);
  return { name, token, operator: (await instance.sessions.authenticate(token))! };
}

const entriesAbout = async (subject: string) =>
  (
    await test.sql<{ actor: string; action: string; details: object }>(
      'SELECT actor, action, details FROM audit_entry WHERE subject = $1 ORDER BY id',
      [subject],
    )
  ).map(({ actor, action, details }) => [actor, action, details]);

describe('an operator', () => {
  it('has a one-time password, which the database has as a hash only and which ends after a week', async () => {
    const name = newName();
    const { operator, one_time_password: password } = await operators.create(name.toUpperCase(), 'viewer');
    expect(operator).toMatchObject({ name, role: 'viewer', is_disabled: false, must_change_password: true });
    const rows = await test.sql<{ row: string }>(
      'SELECT operator::text AS row FROM operator WHERE name = $1',
      [name],
    );
    expect(rows[0]!.row).toContain('scrypt$');
    expect(rows[0]!.row).not.toContain(password);
    clock.advance(7 * 24 * 60 * MINUTE);
    expect(await attempt(new Instance(), name, password)).toBe('failed');
    clock.advance(-1);
    expect(await attempt(new Instance(), name, password)).toMatch(/^[\w-]{43}$/);
  });

  it('an operator who was created, changed, disabled, enabled and reset has an audit entry for each change', async () => {
    const name = newName();
    await test.app.get(ActingOperator).run('operator:grace', async () => {
      await operators.create(name, 'viewer');
      await operators.setRole(name, 'operator');
    });
    await operators.disable(name);
    await operators.enable(name);
    await operators.resetPassword(name);
    expect(await entriesAbout(name)).toEqual([
      ['operator:grace', 'operator.create', { role: 'viewer' }],
      ['operator:grace', 'operator.set-role', { role: 'operator' }],
      ['operator:Ada', 'operator.disable', {}],
      ['operator:Ada', 'operator.enable', {}],
      ['operator:Ada', 'operator.reset-password', {}],
    ]);
  });

  it.each<[string, () => Promise<unknown>, string]>([
    ['with a name in another script', async () => operators.create('\u0430da', 'viewer'), 'letters a to z'],
    [
      'with an unknown role',
      async () => operators.create(newName(), 'root'),
      'one of viewer, operator, admin',
    ],
    ['who does not exist', async () => operators.disable('unknown'), 'There is no operator of this name'],
  ])('an operator %s is refused', async (_what, work, sentence) => {
    await expect(work()).rejects.toThrow(sentence);
  });

  it('cannot have the name of another one, in any case', async () => {
    const name = newName();
    await operators.create(name, 'viewer');
    await expect(operators.create(name.toUpperCase(), 'admin')).rejects.toThrow('exists already');
    expect((await operators.find(name))!.role).toBe('viewer');
  });
});

describe('the last admin', () => {
  it('cannot be disabled or demoted, and keeps the role when two admins are demoted at the same time', async () => {
    const [one, other] = [newName(), newName()];
    await operators.create(one, 'admin');
    await expect(operators.disable(one)).rejects.toThrow('is the last admin');
    await expect(operators.setRole(one, 'operator')).rejects.toThrow('is the last admin');
    await operators.create(other, 'admin');
    for (let round = 0; round < 5; round += 1) {
      const outcomes = await Promise.allSettled([operators.setRole(one, 'viewer'), operators.disable(other)]);
      expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1);
      await operators.setRole(one, 'admin');
      await operators.enable(other);
    }
    await operators.disable(one);
    await expect(operators.setRole(other, 'viewer')).rejects.toThrow('is the last admin');
  });
});

describe('a login', () => {
  it('opens a session with a token of 256 random bits, of which the database has the digest only', async () => {
    const instance = new Instance();
    const { name, token, operator } = await signedIn(instance, 'operator');
    expect(operator).toMatchObject({
      name,
      role: 'operator',
      actor: `operator:${name}`,
      mustChangePassword: false,
    });
    const other = await attempt(instance, name, PASSWORD);
    expect(other).not.toBe(token);
    const stored = await test.sql<{ digest: string; row: string }>(
      `SELECT encode(token_digest, 'hex') AS digest, operator_session::text AS row FROM operator_session
       WHERE operator_id = $1 ORDER BY id`,
      [operator.id],
    );
    const digest = (text: string) => createHash('sha256').update(text).digest('hex');
    expect(stored.map((one) => one.digest)).toEqual([digest(token), digest(other)]);
    for (const { row } of stored) expect(row).not.toContain(token);
  });

  it('replaces the session that the client had, so that a token which was planted is worth nothing', async () => {
    const instance = new Instance();
    const { name, token } = await signedIn(instance);
    const next = await attempt(instance, name, PASSWORD, { previousToken: token });
    expect(await instance.sessions.authenticate(token)).toBeUndefined();
    expect(await instance.sessions.authenticate(next)).toMatchObject({ name });
    const planted = 'p'.repeat(43);
    await attempt(instance, name, PASSWORD, { previousToken: planted });
    expect(await instance.sessions.authenticate(planted)).toBeUndefined();
  });

  it('fails in the same way with a wrong password, an unknown name, a name that cannot exist, and when disabled', async () => {
    const instance = new Instance();
    const { name } = await signedIn(instance);
    const disabled = await signedIn(instance);
    await operators.disable(disabled.name);
    const start = (await test.sql<{ id: string }>('SELECT max(id) AS id FROM audit_entry'))[0]!.id;
    for (const [given, password] of [
      [name, 'wrong'],
      ['unknown', PASSWORD],
      ['no such\nname', PASSWORD],
      [disabled.name, PASSWORD],
      [name, ''],
      [name, 'x'.repeat(300)],
    ] as const)
      expect(await attempt(instance, given, password, { address: '192.0.2.7' })).toBe('failed');
    const entries = await test.sql('SELECT actor, action, subject, details FROM audit_entry WHERE id > $1', [
      start,
    ]);
    const failed = { action: 'operator.fail-log-in', details: { reason: 'password', network: '192.0.2.7' } };
    const of = (subject: string) => ({ ...failed, actor: `operator:${subject}`, subject });
    // A name of no operator may be a password in the wrong field, so it is not recorded.
    const unknown = { ...failed, actor: 'unknown', subject: null };
    expect(entries).toEqual([of(name), unknown, unknown, of(disabled.name), of(name), of(name)]);
  });

  it('is not judged after 20 wrong passwords for a name, sent by many addresses to two instances at once', async () => {
    const [one, other] = [new Instance(), new Instance()];
    const { name } = await signedIn(one);
    const home = newAddress();
    await attempt(one, name, PASSWORD, { address: home });
    const guesses = await Promise.allSettled(
      Array.from({ length: 30 }, async (_, n) => attempt(n % 2 ? one : other, name, `guess ${n}`)),
    );
    expect(guesses.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    for (const guess of guesses)
      if (guess.status === 'rejected') expect(guess.reason).toMatchObject({ code: 'throttled' });
    await expect(attempt(one, name, PASSWORD)).rejects.toMatchObject({ code: 'throttled' });
    // The network from which the operator signs in is not locked out.
    expect(await attempt(other, name, PASSWORD, { address: home })).toMatch(/^[\w-]{43}$/);
  });

  it('a login from a network of the operator does not wait for strangers who fill the queue of passwords', async () => {
    const before = new Instance();
    const { name } = await signedIn(before);
    const home = newAddress();
    await attempt(before, name, PASSWORD, { address: home });
    // Each password of a stranger takes some milliseconds, and each is of a network of its own.
    const instance = new Instance(new PasswordHashes({ N: 2_048, r: 8, p: 1 }));
    const refused: unknown[] = [];
    let judged = 0;
    let isOver = false;
    const guess = async (): Promise<void> => {
      while (!isOver)
        await attempt(instance, newName(), PASSWORD).then(
          () => (judged += 1),
          (error: unknown) => refused.push(error),
        );
    };
    const strangers = Promise.all(Array.from({ length: 240 }, guess));
    try {
      await until(() => refused.length > 0, 'a full queue');
      expect(refused[0]).toMatchObject({
        code: 'throttled',
        detail: expect.stringMatching('at once') as string,
      });
      const before = judged;
      for (const place of [{ address: home }, { address: home }, { address: home }, { address: home }])
        expect(await attempt(instance, name, PASSWORD, place)).toMatch(/^[\w-]{43}$/);
      // In the queue of strangers, each of the four would wait for 200 passwords.
      expect(judged - before).toBeLessThan(400);
    } finally {
      isOver = true;
      await strangers;
    }
  });

  it('is not judged after 20 wrong passwords from an address, whatever the names, also if they are sent at once', async () => {
    const instance = new Instance();
    const { name } = await signedIn(instance);
    const address = newAddress();
    const guesses = await Promise.allSettled(
      Array.from({ length: 40 }, async (_, n) =>
        attempt(instance, n === 35 ? name : `name-${n}`, PASSWORD, { address }),
      ),
    );
    expect(guesses.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    await expect(attempt(instance, name, PASSWORD, { address })).rejects.toMatchObject({ code: 'throttled' });
    expect(await attempt(instance, name, PASSWORD)).toMatch(/^[\w-]{43}$/);
  });

  it('a login with the right password counts nothing, however often', async () => {
    const instance = new Instance();
    const { name } = await signedIn(instance);
    const address = newAddress();
    for (let time = 0; time < 22; time += 1)
      expect(await attempt(instance, name, PASSWORD, { address })).toMatch(/^[\w-]{43}$/);
    // Each further login ends the oldest session.
    const sessions = 'operator_session JOIN operator ON operator.id = operator_id WHERE name = $1';
    expect(await test.countRows(sessions, [name])).toBe(10);
  });
});

describe('a session', () => {
  it('ends after 30 minutes without a request, and each request extends it', async () => {
    const instance = new Instance();
    const { token } = await signedIn(instance);
    for (let request = 0; request < 5; request += 1) {
      clock.advance(29 * MINUTE);
      expect(await instance.sessions.authenticate(token)).toBeDefined();
    }
    expect(await instance.sessions.show(token)).toMatchObject({
      idle_expires_at: new Date(clock.now().getTime() + 30 * MINUTE).toISOString(),
      expires_at: new Date(START + 12 * 60 * MINUTE).toISOString(),
    });
    clock.advance(30 * MINUTE);
    expect(await instance.sessions.authenticate(token)).toBeUndefined();
    expect(await instance.sessions.show(token)).toBeUndefined();
  });

  it('ends after 12 hours, however much it is used', async () => {
    const instance = new Instance();
    const { token, operator } = await signedIn(instance);
    while (clock.now().getTime() < START + 12 * 60 * MINUTE - 20 * MINUTE) {
      clock.advance(20 * MINUTE);
      expect(await instance.sessions.authenticate(token)).toBeDefined();
    }
    clock.moveTo(START + 12 * 60 * MINUTE - 1);
    expect(await instance.sessions.check(operator.sessionId)).toBeDefined();
    clock.advance(1);
    expect(await instance.sessions.authenticate(token)).toBeUndefined();
    expect(await instance.sessions.check(operator.sessionId)).toBeUndefined();
  });

  it('is not extended by a response that lasts', async () => {
    const instance = new Instance();
    const { token, operator } = await signedIn(instance);
    clock.advance(29 * MINUTE);
    expect(await instance.sessions.check(operator.sessionId)).toMatchObject({ name: operator.name });
    clock.advance(2 * MINUTE);
    expect(await instance.sessions.check(operator.sessionId)).toBeUndefined();
    expect(await instance.sessions.authenticate(token)).toBeUndefined();
  });

  it('has the role of the moment on every instance, and ends everywhere when its operator is disabled', async () => {
    const [one, other] = [new Instance(), new Instance()];
    const { name, token } = await signedIn(one, 'viewer');
    await operators.setRole(name, 'operator');
    for (const instance of [one, other])
      expect(await instance.sessions.authenticate(token)).toMatchObject({ role: 'operator' });
    await operators.disable(name);
    for (const instance of [one, other]) expect(await instance.sessions.authenticate(token)).toBeUndefined();
    await operators.enable(name);
    expect(await one.sessions.authenticate(token)).toBeUndefined();
  });

  it('ends with the logout, with a reset of the password, and with a change of it elsewhere', async () => {
    const instance = new Instance();
    const first = await signedIn(instance);
    await instance.sessions.logOut(first.operator);
    expect(await instance.sessions.authenticate(first.token)).toBeUndefined();
    const second = await signedIn(instance);
    const elsewhere = await attempt(instance, second.name, PASSWORD);
    await instance.account.changePassword(second.operator, newAddress(), PASSWORD, 'another horse battery');
    expect(await instance.sessions.authenticate(elsewhere)).toBeUndefined();
    expect(await instance.sessions.authenticate(second.token)).toBeDefined();
    expect(await attempt(instance, second.name, PASSWORD)).toBe('failed');
    await operators.resetPassword(second.name);
    expect(await instance.sessions.authenticate(second.token)).toBeUndefined();
    expect((await entriesAbout(first.name)).map(([, action]) => action)).toEqual([
      'operator.create',
      'operator.log-in',
      'operator.change-password',
      'operator.log-out',
    ]);
  });

  it('is not opened for an operator who is disabled while the password is judged', async () => {
    const instance = new Instance();
    const { name } = await signedIn(instance);
    const repository = test.app.get(OperatorRepository);
    const operator = (await repository.findByName(name))!;
    await operators.disable(name);
    const context = { method: 'password', network: 'test', previousToken: undefined };
    expect(await instance.sessions.open(operator, context)).toBeUndefined();
    await operators.enable(name);
    await operators.resetPassword(name);
    expect(await instance.sessions.open(operator, context)).toBeUndefined();
  });
});

describe('the own password', () => {
  it.each([
    ['wrong', PASSWORD, 'current_password', 'The password is wrong.'],
    [PASSWORD, 'short', 'new_password', 'Choose a password of 12 to 256 characters.'],
    [PASSWORD, PASSWORD, 'new_password', 'Choose another password than the current one.'],
  ])('is not changed from %j to %j', async (current, next, attr, detail) => {
    const instance = new Instance();
    const { operator } = await signedIn(instance);
    await expect(
      instance.account.changePassword(operator, newAddress(), current, next),
    ).rejects.toMatchObject({ code: 'validation_error', members: { errors: [{ attr, detail }] } });
  });
});

describe('a second factor', () => {
  const codeOf = (secret: string, at = clock.now().getTime()) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });

  it('is required from its confirmation on, and accepts each code once', async () => {
    const instance = new Instance();
    const { name, operator } = await signedIn(instance);
    const { secret } = await instance.account.enrolTotp(operator, newAddress(), PASSWORD);
    expect(await attempt(instance, name, PASSWORD)).toMatch(/^[\w-]{43}$/);
    await expect(instance.account.confirmTotp(operator, newAddress(), '000000')).rejects.toMatchObject({
      code: 'validation_error',
    });
    await instance.account.confirmTotp(operator, newAddress(), codeOf(secret));

    expect(await attempt(instance, name, PASSWORD)).toBe('totp-required');
    expect(await attempt(instance, name, 'wrong')).toBe('failed');
    expect(await attempt(instance, name, 'wrong', { totp: codeOf(secret) })).toBe('failed');
    // The code that confirmed it is used.
    expect(await attempt(instance, name, PASSWORD, { totp: codeOf(secret) })).toBe('failed');
    clock.advance(30_000);
    const code = codeOf(secret);
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, async () => attempt(instance, name, PASSWORD, { totp: code })),
    );
    expect(outcomes.filter((outcome) => outcome !== 'failed')).toHaveLength(1);
    clock.advance(30_000);
    expect(await attempt(instance, name, PASSWORD, { totp: code })).toBe('failed');
    expect(await attempt(instance, name, PASSWORD, { totp: codeOf(secret) })).toMatch(/^[\w-]{43}$/);
  });

  const secretOf = async (name: string): Promise<string> => {
    const { id, totpSecret } = (await test.app.get(OperatorRepository).findByName(name))!;
    return test.app.get(OperatorSecrets).open(totpSecret!, id);
  };
  const enrol = async (instance: Instance) => {
    const { name, operator } = await signedIn(instance);
    const { secret } = await instance.account.enrolTotp(operator, newAddress(), PASSWORD);
    await instance.account.confirmTotp(operator, newAddress(), codeOf(secret));
    clock.advance(30_000);
    const right = codeOf(secret);
    return { name, right, wrong: right === '123456' ? '654321' : '123456' };
  };

  it('is not guessed: after 10 wrong codes of a network in an hour none is judged, the right one included', async () => {
    const instance = new Instance();
    const { name, right, wrong } = await enrol(instance);
    const address = newAddress();
    const guesses = await Promise.allSettled(
      Array.from({ length: 15 }, async () => attempt(instance, name, PASSWORD, { totp: wrong, address })),
    );
    expect(guesses.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    await expect(attempt(instance, name, PASSWORD, { totp: right, address })).rejects.toMatchObject({
      code: 'throttled',
    });
    // The owner is somewhere else.
    expect(await attempt(instance, name, PASSWORD, { totp: right })).toMatch(/^[\w-]{43}$/);
  });

  it('is not guessed from many networks: 100 wrong codes are judged in a day, which locks the owner out of no known place', async () => {
    const [instance, other] = [new Instance(), new Instance()];
    const { name, right, wrong } = await enrol(instance);
    const home = newAddress();
    await attempt(instance, name, PASSWORD, { totp: right, address: home });
    const guesses: PromiseSettledResult<string>[] = [];
    for (let network = 0; network < 12; network += 1) {
      const address = newAddress();
      guesses.push(
        ...(await Promise.allSettled(
          Array.from({ length: 10 }, async (_, n) =>
            attempt(n % 2 ? instance : other, name, PASSWORD, { totp: wrong, address }),
          ),
        )),
      );
    }
    expect(guesses.filter(({ status }) => status === 'fulfilled')).toHaveLength(100);
    clock.advance(30_000);
    const next = codeOf(await secretOf(name));
    await expect(attempt(other, name, PASSWORD, { totp: next })).rejects.toMatchObject({ code: 'throttled' });
    expect(await attempt(other, name, PASSWORD, { totp: next, address: home })).toMatch(/^[\w-]{43}$/);
  });

  it('needs the password at its set-up, and ends the other sessions when it is confirmed', async () => {
    const instance = new Instance();
    const { name, token, operator } = await signedIn(instance);
    const elsewhere = await attempt(instance, name, PASSWORD);
    await expect(instance.account.enrolTotp(operator, newAddress(), 'wrong')).rejects.toMatchObject({
      members: { errors: [{ attr: 'password', detail: 'The password is wrong.' }] },
    });
    expect(await test.sql('SELECT totp_secret FROM operator WHERE name = $1', [name])).toEqual([
      { totp_secret: null },
    ]);
    const { secret } = await instance.account.enrolTotp(operator, newAddress(), PASSWORD);
    expect(await instance.sessions.authenticate(elsewhere)).toBeDefined();
    await instance.account.confirmTotp(operator, newAddress(), codeOf(secret));
    expect(await instance.sessions.authenticate(elsewhere)).toBeUndefined();
    expect(await instance.sessions.authenticate(token)).toBeDefined();
  });

  it('is stored encrypted, is not replaced once it is confirmed, and is removed with the password', async () => {
    const instance = new Instance();
    const { name, operator } = await signedIn(instance);
    await instance.account.enrolTotp(operator, newAddress(), PASSWORD);
    const { secret } = await instance.account.enrolTotp(operator, newAddress(), PASSWORD);
    const stored = await test.sql<{ sealed: Buffer }>(
      'SELECT totp_secret AS sealed FROM operator WHERE name = $1',
      [name],
    );
    expect(stored[0]!.sealed.toString('latin1')).not.toContain(secret);
    await instance.account.confirmTotp(operator, newAddress(), codeOf(secret));
    await expect(instance.account.enrolTotp(operator, newAddress(), PASSWORD)).rejects.toThrow(
      'You have a second factor already',
    );
    await expect(instance.account.removeTotp(operator, newAddress(), 'wrong')).rejects.toMatchObject({
      members: { errors: [{ attr: 'password' }] },
    });
    await instance.account.removeTotp(operator, newAddress(), PASSWORD);
    expect(await attempt(instance, name, PASSWORD)).toMatch(/^[\w-]{43}$/);
  });

  it('is removed when an admin resets the password', async () => {
    const instance = new Instance();
    const { name, operator } = await signedIn(instance);
    const { secret } = await instance.account.enrolTotp(operator, newAddress(), PASSWORD);
    await instance.account.confirmTotp(operator, newAddress(), codeOf(secret));
    const { operator: view, one_time_password: oneTime } = await operators.resetPassword(name);
    expect(view).toMatchObject({ has_totp: false, must_change_password: true });
    expect(await attempt(instance, name, oneTime)).toMatch(/^[\w-]{43}$/);
  });
});

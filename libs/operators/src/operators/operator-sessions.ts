import { createHash, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type Clock, CLOCK, CONFIG, type Config, Logger, operatorActor } from '@portage/platform';
import { type ActiveSession, OperatorSessionRepository } from './operator-session.repository';
import type { OperatorEntity } from './operator.entity';
import type { OperatorRole } from './operator';
import type { SessionView } from './operators.dto';

const TOKEN_BYTES = 32;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Sessions of one operator. A further login ends the oldest one. */
const MAX_SESSIONS = 10;
/** The use of a session is stored this often at most, so that few requests write. */
const TOUCH_MS = MINUTE_MS;

/** An operator who has signed in, as a request knows it. */
export interface SignedInOperator {
  id: number;
  name: string;
  role: OperatorRole;
  /** The actor of the audit: `operator:<name>`. */
  actor: string;
  sessionId: string;
  /** True while the operator may do nothing but choose a password. */
  mustChangePassword: boolean;
}

/** Sessions of operators: random tokens of which the database has the digests. */
@Injectable()
export class OperatorSessions {
  private readonly idleMs: number;
  private readonly lifetimeMs: number;

  constructor(
    private readonly sessions: OperatorSessionRepository,
    private readonly logger: Logger,
    @Inject(CONFIG) config: Pick<Config, 'OPERATOR_SESSION_IDLE_MINUTES' | 'OPERATOR_SESSION_HOURS'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.idleMs = config.OPERATOR_SESSION_IDLE_MINUTES * MINUTE_MS;
    this.lifetimeMs = config.OPERATOR_SESSION_HOURS * HOUR_MS;
  }

  /**
   * Opens a session with a new token, which replaces the session that the client had.
   *
   * @param method how the operator has signed in, for the audit
   * @returns the token; undefined if the operator was disabled, or the password changed, since the login was judged
   */
  async open(
    operator: OperatorEntity,
    {
      method,
      network,
      previousToken,
    }: { method: string; network: string; previousToken: string | undefined },
  ): Promise<string | undefined> {
    const now = this.clock.now();
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const isOpen = await this.sessions.create(
      {
        tokenDigest: digestOf(token),
        operatorId: operator.id,
        passwordHash: operator.passwordHash ?? undefined,
        now,
        expiresAt: new Date(now.getTime() + this.lifetimeMs),
      },
      MAX_SESSIONS,
      previousToken === undefined ? undefined : digestOf(previousToken),
      {
        actor: operatorActor(operator.name),
        action: 'operator.log-in',
        subject: operator.name,
        details: { method, network },
      },
    );
    if (!isOpen) return undefined;
    this.logger.log('An operator has signed in.', { operator: operator.name, address: network });
    return token;
  }

  /** The operator of a token, with the role of this moment; undefined if the session has ended. Counts as a use. */
  async authenticate(token: string): Promise<SignedInOperator | undefined> {
    const session = await this.find(token);
    if (!session) return undefined;
    const now = this.clock.now();
    if (now.getTime() - session.lastUsedAt >= TOUCH_MS) await this.sessions.touch(session.id, now);
    return toSignedIn(session);
  }

  /**
   * The operator of a session, for a response that lasts, such as a stream. Undefined if the session has ended. Does not
   * count as a use.
   */
  async check(sessionId: string): Promise<SignedInOperator | undefined> {
    const now = this.clock.now();
    const session = await this.sessions.findActiveById(sessionId, now, this.usedAfter(now));
    return session && toSignedIn(session);
  }

  /** The session of a token; undefined if it has ended. */
  async show(token: string): Promise<SessionView | undefined> {
    const session = await this.find(token);
    if (!session) return undefined;
    const { name, role, hasTotp, mustChangePassword } = session;
    return {
      operator: { name, role, has_totp: hasTotp, must_change_password: mustChangePassword },
      expires_at: new Date(session.expiresAt).toISOString(),
      idle_expires_at: new Date(Math.min(session.lastUsedAt + this.idleMs, session.expiresAt)).toISOString(),
    };
  }

  /** Ends a session. Safe to repeat. */
  async logOut({ sessionId, actor, name }: SignedInOperator): Promise<void> {
    await this.sessions.end(sessionId, { actor, action: 'operator.log-out', subject: name });
    this.logger.log('An operator has signed out.', { operator: name });
  }

  private async find(token: string): Promise<ActiveSession | undefined> {
    const now = this.clock.now();
    return this.sessions.findActive(digestOf(token), now, this.usedAfter(now));
  }

  private usedAfter(now: Date): Date {
    return new Date(now.getTime() - this.idleMs);
  }
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function toSignedIn({ id, operatorId, name, role, mustChangePassword }: ActiveSession): SignedInOperator {
  return { id: operatorId, name, role, actor: operatorActor(name), sessionId: id, mustChangePassword };
}

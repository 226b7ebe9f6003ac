import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import {
  type AuditEntry,
  AuditRepository,
  Database,
  type Executor,
  insertUnlessTaken,
  translateErrors,
} from '@portage/platform';
import { IsNull, LessThan, Not, Or, Repository } from 'typeorm';
import type { OperatorRole } from './operator';
import { OperatorEntity } from './operator.entity';
import { OperatorSessionEntity } from './operator-session.entity';

/** A new operator. */
export type NewOperator = Pick<OperatorEntity, 'name' | 'role'> &
  Partial<Pick<OperatorEntity, 'passwordHash' | 'mustChangePassword' | 'passwordExpiresAt' | 'oidcSubject'>>;

/** A password to store: a chosen one, or a one-time password that ends. */
export type NewPassword = Pick<OperatorEntity, 'passwordHash' | 'mustChangePassword' | 'passwordExpiresAt'>;

/** What a change of an operator came to. `last-admin`: nothing was changed, because it would leave no admin. */
export type OperatorChange = 'changed' | 'unknown' | 'last-admin';

/** Operators. Each change is audited in its transaction. */
@Injectable()
export class OperatorRepository {
  constructor(
    @InjectRepository(OperatorEntity) private readonly operators: Repository<OperatorEntity>,
    private readonly database: Database,
    private readonly audit: AuditRepository,
  ) {}

  /** Creates an operator; undefined if the name is taken. */
  async create(operator: NewOperator, entry: AuditEntry): Promise<OperatorEntity | undefined> {
    const isNew = await this.database.transaction(async (transaction) => {
      const repository = transaction.manager.withRepository(this.operators);
      if (!(await insertUnlessTaken(repository, operator))) return false;
      await this.audit.record(transaction, entry);
      return true;
    });
    return isNew ? this.findByName(operator.name) : undefined;
  }

  /** The operator with this name, in lower case. */
  async findByName(name: string): Promise<OperatorEntity | undefined> {
    return (await translateErrors(this.operators.findOneBy({ name }))) ?? undefined;
  }

  async findById(id: number): Promise<OperatorEntity | undefined> {
    return (await translateErrors(this.operators.findOneBy({ id }))) ?? undefined;
  }

  async findBySubject(oidcSubject: string): Promise<OperatorEntity | undefined> {
    return (await translateErrors(this.operators.findOneBy({ oidcSubject }))) ?? undefined;
  }

  /** All operators, in the order of creation. */
  async list(): Promise<OperatorEntity[]> {
    return translateErrors(this.operators.find({ order: { id: 'ASC' } }));
  }

  /** Sets the role. It holds at the next request of each session. */
  async setRole(name: string, role: OperatorRole, entry: AuditEntry): Promise<OperatorChange> {
    return this.change(name, { role }, entry, role !== 'admin');
  }

  /** Disables an operator and ends the operator's sessions, or enables an operator. */
  async setDisabled(name: string, isDisabled: boolean, entry: AuditEntry): Promise<OperatorChange> {
    return this.change(name, { isDisabled }, entry, isDisabled, isDisabled);
  }

  /** Gives an operator a one-time password, removes the second factor and ends all sessions. */
  async resetPassword(name: string, password: NewPassword, entry: AuditEntry): Promise<OperatorChange> {
    const removed = { totpSecret: null, totpIsConfirmed: false, totpLastStep: null };
    return this.change(name, { ...password, ...removed }, entry, false, true);
  }

  /**
   * Stores a chosen password unless another one was stored meanwhile, and ends all sessions but one.
   *
   * @returns false if the password was changed meanwhile
   */
  async changePassword(
    { id, passwordHash }: { id: number; passwordHash: string },
    newHash: string,
    sessionId: string,
    entry: AuditEntry,
  ): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      const { affected } = await transaction.manager
        .withRepository(this.operators)
        .update(
          { id, passwordHash },
          { passwordHash: newHash, mustChangePassword: false, passwordExpiresAt: null },
        );
      if (affected !== 1) return false;
      await endSessions(transaction, id, sessionId);
      await this.audit.record(transaction, entry);
      return true;
    });
  }

  /** Stores a secret that is not confirmed yet. False if the operator has a confirmed one. */
  async enrolTotp(id: number, totpSecret: Buffer): Promise<boolean> {
    const enrolled = { totpSecret, totpLastStep: null };
    const { affected } = await translateErrors(
      this.operators.update({ id, totpIsConfirmed: false }, enrolled),
    );
    return affected === 1;
  }

  /**
   * Confirms the enrolled secret with the step of its first code, and ends all sessions but one.
   *
   * @returns false if the secret was replaced or confirmed meanwhile
   */
  async confirmTotp(
    { id, totpSecret }: { id: number; totpSecret: Buffer },
    step: number,
    sessionId: string,
    entry: AuditEntry,
  ): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      const { affected } = await transaction.manager
        .withRepository(this.operators)
        .update(
          { id, totpSecret, totpIsConfirmed: false },
          { totpIsConfirmed: true, totpLastStep: String(step) },
        );
      if (affected !== 1) return false;
      await endSessions(transaction, id, sessionId);
      await this.audit.record(transaction, entry);
      return true;
    });
  }

  /** Removes the second factor. False if there is none. */
  async removeTotp(id: number, entry: AuditEntry): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      const { affected } = await transaction.manager
        .withRepository(this.operators)
        .update(
          { id, totpIsConfirmed: true },
          { totpSecret: null, totpIsConfirmed: false, totpLastStep: null },
        );
      if (affected !== 1) return false;
      await this.audit.record(transaction, entry);
      return true;
    });
  }

  /** Accepts the code of a time step once. False if a code of this step or of a later one was accepted before. */
  async acceptTotpStep(id: number, secret: Buffer, step: number): Promise<boolean> {
    const totpLastStep = String(step);
    // Of concurrent uses of one code exactly one updates the row.
    const { affected } = await translateErrors(
      this.operators.update(
        { id, totpSecret: secret, totpLastStep: Or(IsNull(), LessThan(totpLastStep)) },
        { totpLastStep },
      ),
    );
    return affected === 1;
  }

  private async change(
    name: string,
    values: Partial<OperatorEntity>,
    entry: AuditEntry,
    removesAdmin: boolean,
    endsSessions = false,
  ): Promise<OperatorChange> {
    return this.database.transaction(async (transaction) => {
      const operators = transaction.manager.withRepository(this.operators);
      // In one order, so that two changes wait for each other. The second one then sees what the first one has left.
      const admins = removesAdmin
        ? await operators.find({
            where: { role: 'admin', isDisabled: false },
            order: { id: 'ASC' },
            lock: { mode: 'pessimistic_write' },
          })
        : [];
      const found = await operators.findOneBy({ name });
      if (!found) return 'unknown';
      if (admins.length === 1 && admins[0]?.id === found.id) return 'last-admin';
      await operators.update({ id: found.id }, values);
      if (endsSessions) await endSessions(transaction, found.id);
      await this.audit.record(transaction, entry);
      return 'changed';
    });
  }
}

/** Ends all sessions of an operator, but for the one with the id `but`. */
async function endSessions({ manager }: Executor, operatorId: number, but?: string): Promise<void> {
  await manager.delete(OperatorSessionEntity, { operatorId, ...(but !== undefined && { id: Not(but) }) });
}

import { AsyncLocalStorage } from 'node:async_hooks';
import { userInfo } from 'node:os';
import type { Config } from '../config/config';
import { operatorActor } from './audit';

/**
 * Who acts: the operator of the request in the operator API, or the operator of the command line. Use cases that both
 * share read the actor of their audit entries here.
 */
export class ActingOperator {
  private readonly ofRequest = new AsyncLocalStorage<string>();

  constructor(private readonly ofProcess: string) {}

  /** The actor, as the audit stores it. */
  get actor(): string {
    return this.ofRequest.getStore() ?? this.ofProcess;
  }

  /** Runs `work`, and all that it awaits, in the name of an operator. */
  run<T>(actor: string, work: () => T): T {
    return this.ofRequest.run(actor, work);
  }
}

/** The operator that PORTAGE_OPERATOR names, else the user of the operating system. */
export function operatorOf({ PORTAGE_OPERATOR }: Pick<Config, 'PORTAGE_OPERATOR'>): string {
  return operatorActor(PORTAGE_OPERATOR ?? systemUser());
}

function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    // Containers run as user ids without a name.
    return `uid-${process.getuid?.() ?? 'unknown'}`;
  }
}

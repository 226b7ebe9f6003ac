import { userInfo } from 'node:os';
import type { Config } from '@portage/config';
import { operatorActor } from '@portage/domain';

/** Injection token of the actor of commands, as the audit trail stores it. */
export const OPERATOR = Symbol('OPERATOR');

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

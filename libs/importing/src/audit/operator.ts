import { userInfo } from 'node:os';
import type { Config } from '@portage/config';
import { operatorActor } from '@portage/domain';

/** Injection token of the actor behind commands, as it is put on record. */
export const OPERATOR = Symbol('OPERATOR');

/** The operator that PORTAGE_OPERATOR names, else the user that the operating system knows. */
export function operatorOf({ PORTAGE_OPERATOR }: Pick<Config, 'PORTAGE_OPERATOR'>): string {
  return operatorActor(PORTAGE_OPERATOR ?? systemUser());
}

function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    // Containers run as numbers that have no name.
    return `uid-${process.getuid?.() ?? 'unknown'}`;
  }
}

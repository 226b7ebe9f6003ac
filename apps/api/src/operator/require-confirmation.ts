import { PortageError } from '@portage/platform';

/** @throws PortageError `confirmation_required` unless an operator has typed what an action is about */
export function requireConfirmation(typed: string | undefined, expected: string, subject: string): void {
  if (typed !== expected)
    throw new PortageError('confirmation_required', `Type ${subject} to confirm: ${expected}`);
}

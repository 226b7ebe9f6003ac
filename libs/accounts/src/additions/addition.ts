import type { Note, Statement } from '@portage/account-schema';
import type { FieldError } from '@portage/platform';
import type { InstructionInput } from '../payment-instructions/instruction-request';
import type { TransactionsInput } from '../transactions/transactions-request';

/** What can be added to an imported account: one kind for each endpoint after the import. */
export const ADDITION_KINDS = [
  'notes',
  'transactions',
  'historical_statements',
  'payment_instruction',
] as const;
export type AdditionKind = (typeof ADDITION_KINDS)[number];

/** The validated body of each kind, as it is stored until it is added. */
export interface AdditionInputs {
  notes: readonly Note[];
  transactions: TransactionsInput;
  historical_statements: readonly Statement[];
  payment_instruction: InstructionInput;
}

/** A valid addition, in the form in which it is stored until it is performed. */
export type AdditionInput = {
  [Kind in AdditionKind]: { kind: Kind; input: AdditionInputs[Kind] };
}[AdditionKind];

/** An addition that the database takes at once; a payment instruction waits for its vendor. */
export type ImmediateAddition = Exclude<AdditionInput, { kind: 'payment_instruction' }> & {
  accountId: string;
  /** The API key that sent it. */
  actor: string;
};

/** What became of an addition: all of it was added, as far as the account did not have it, or nothing. */
export type AdditionOutcome =
  | {
      kind: 'added';
      /** Items that are new. */
      added: number;
      /** Items that the account had already. */
      existing: number;
      /** Of the existing ones, those that the account has with other content. They stay as they are. */
      different: number;
      /** Transactions whose date was moved into the open statement period. */
      moved: number;
      documentIds: string[];
    }
  | { kind: 'refused'; errors: readonly FieldError[] };

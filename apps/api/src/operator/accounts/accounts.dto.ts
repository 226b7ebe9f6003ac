import { ConfirmationField, FlagField, IntegerField } from '../../http/fields';

/** The query of an account. */
export class AccountQuery {
  @IntegerField({
    min: 1,
    max: 1_000_000,
    default: 1,
    description: 'The page of the long lists. Page 1 has the newest rows.',
  })
  page: number;
}

export interface InspectedAccount {
  platform_account_number: string;
  import_supplier: string;
  external_account_number: string;
  /** The page of the long lists. Page 1 has the newest rows. */
  page: number;
  /** All stored rows of each long list. */
  totals: Record<string, number>;
  customers: object[];
  ledgers: object[];
}

/** The body of an erasure. */
export class EraseAccountRequest {
  @ConfirmationField('The number of the account, as the operator typed it.')
  confirm?: string;

  @FlagField({ description: 'True: its documents stay in the document store.' })
  keep_documents?: boolean;
}

/** What the erasure of an account came to. */
export interface ErasedAccountView {
  platform_account_number: string;
  erased_at: string;
  was_erased_before: boolean;
  removed_documents: string[];
  /** Documents that other accounts name too, or that are kept. */
  left_documents: string[];
}

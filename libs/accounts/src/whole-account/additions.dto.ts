import { ApiExtraModels, ApiProperty, ApiSchema, getSchemaPath } from '@nestjs/swagger';
import type { AdditionCounts } from './additions';

/** How many additions an account has. */
@ApiSchema({ name: 'AdditionCounts', description: 'Rows that requests have added since the import.' })
export class AdditionCountsView implements AdditionCounts {
  @ApiProperty({
    type: 'integer',
    description: 'With the notes that say which transactions were moved into an open statement period.',
  })
  notes: number;

  @ApiProperty({ type: 'integer' })
  transactions: number;

  @ApiProperty({ type: 'integer' })
  historical_statements: number;

  @ApiProperty({
    type: 'integer',
    description: 'Without those that came with the account and were confirmed by a request.',
  })
  payment_instructions: number;
}

/** The balance of one ledger. */
export class LedgerBalance {
  @ApiProperty({ type: String, nullable: true })
  ledger_code: string | null;

  @ApiProperty({
    description: 'Decimal text with two decimals, in major units. A debt of the customer is negative.',
    example: '-12.50',
  })
  balance: string;

  @ApiProperty({ description: 'That of the supplier, by its ISO 4217 code.' })
  currency: string;
}

/** A note that was added. */
export class AddedNote {
  @ApiProperty({ type: String, nullable: true })
  body: string | null;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: String, nullable: true })
  external_id: string | null;

  @ApiProperty()
  is_pinned: boolean;

  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  unpin_at: string | null;

  @ApiProperty()
  is_archived: boolean;

  @ApiProperty({ type: [String], description: 'Below the document root of the supplier.' })
  document_paths: string[];
}

/** Days that a statement covers. */
@ApiSchema({ name: 'BookedPeriod' })
export class BookedPeriodView {
  @ApiProperty({ type: String, nullable: true, format: 'date', description: 'The first day.' })
  from: string | null;

  @ApiProperty({ format: 'date', description: 'The last day.' })
  to: string;
}

/** A transaction that was added. */
export class AddedTransaction {
  @ApiProperty()
  transaction_id: string;

  @ApiProperty()
  type: string;

  @ApiProperty({
    description:
      'Decimal text with two decimals, with the sign that was sent: the type says whether it is for or against the customer.',
  })
  amount: string;

  @ApiProperty({ format: 'date', description: 'The day on which it is booked.' })
  transaction_date: string;

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date',
    description: 'The day that was sent, if it was moved into the open statement period.',
  })
  original_date: string | null;

  @ApiProperty({ type: BookedPeriodView, description: 'The statement period in which it is booked.' })
  statement_period: BookedPeriodView;

  @ApiProperty({ type: String, nullable: true })
  ledger_code: string | null;

  @ApiProperty({ type: String, nullable: true })
  reason: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'Its other fields, such as `display_note`, `reference` or `line_items`.',
  })
  details: Record<string, unknown>;
}

/** The PDF of a statement. */
@ApiSchema({ name: 'AddedDocument' })
export class AddedDocumentView {
  @ApiProperty({
    type: String,
    enum: ['PENDING', 'STORED', 'MISSING', 'REFUSED'],
    description:
      'PENDING: it was not found so far, or nothing has looked for it yet. MISSING: it was not found in the time for which it is looked for. REFUSED: it is there, and not what it should be.',
  })
  state: 'PENDING' | 'STORED' | 'MISSING' | 'REFUSED';

  @ApiProperty({ type: String, nullable: true })
  error_code: string | null;
}

/** A historical statement that was added. */
export class AddedStatement {
  @ApiProperty()
  statement_id: string;

  @ApiProperty({ format: 'date' })
  bill_period_from_date: string;

  @ApiProperty({ format: 'date' })
  bill_period_to_date: string;

  @ApiProperty({ type: String, nullable: true, format: 'date' })
  issued_date: string | null;

  @ApiProperty({ type: String, nullable: true })
  number: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Decimal text in the lowest denomination of the currency, as it was sent.',
  })
  gross_amount: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Below the document root of the supplier.' })
  statement_path: string | null;

  @ApiProperty({
    type: AddedDocumentView,
    nullable: true,
    description: 'The PDF; null for a statement without one.',
  })
  document: AddedDocumentView | null;
}

/** A payment instruction that was added. */
export class AddedPaymentInstruction {
  @ApiProperty()
  type: string;

  @ApiProperty()
  vendor: string;

  @ApiProperty({ description: 'Its name at the vendor.' })
  reference: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The one ledger that it pays into; null for all ledgers.',
  })
  ledger_code: string | null;

  @ApiProperty({ description: 'False once another one has replaced it.' })
  is_active: boolean;

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    description: 'When its vendor confirmed it for the last time.',
  })
  verified_at: string | null;
}

/** An addition of any kind. */
export type AdditionView = AddedNote | AddedTransaction | AddedStatement | AddedPaymentInstruction;

const ITEMS = [AddedNote, AddedTransaction, AddedStatement, AddedPaymentInstruction];

/** What was added to an imported account, and its balances. */
@ApiSchema({ name: 'AccountAdditions' })
@ApiExtraModels(...ITEMS)
export class AdditionsView {
  @ApiProperty({
    type: [LedgerBalance],
    description: 'The balance of each ledger: that of the import, with what was added.',
  })
  balances: LedgerBalance[];

  @ApiProperty({ type: AdditionCountsView })
  counts: AdditionCountsView;

  @ApiProperty({
    type: 'array',
    items: { anyOf: ITEMS.map((item) => ({ $ref: getSchemaPath(item) })) },
    description:
      'A page of the additions of the `kind`, in the order of their addition. Empty without `kind`.',
  })
  items: AdditionView[];

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'The cursor of the next page. Pass it as `after`. Null on the last page, and without `kind`.',
  })
  next: string | null;
}

import { Injectable } from '@nestjs/common';
import type { Executor, FieldError } from '@portage/platform';
import { DocumentRepository, type NewDocument } from '../documents/document.repository';
import { AddNotes } from '../notes/add-notes';
import { AddHistoricalStatements, documentsOf } from '../statements/add-historical-statements';
import { TransactionsWriter } from '../transactions/transactions-writer';
import type { TransactionsOutcome } from '../transactions/transactions-request';
import type { AdditionOutcome, ImmediateAddition } from './addition';

type OfKind<Kind extends ImmediateAddition['kind']> = Extract<ImmediateAddition, { kind: Kind }>;

/** What was written of an addition, with the documents that it refers to. */
type Written =
  | (Omit<Extract<AdditionOutcome, { kind: 'added' }>, 'documentIds'> & {
      documents: readonly Omit<NewDocument, 'accountId'>[];
    })
  | { kind: 'refused'; errors: readonly FieldError[] };

/** Adds notes, transactions and historical statements to many accounts at once, by the rules of their endpoints. */
@Injectable()
export class AccountAdditions {
  constructor(
    private readonly notes: AddNotes,
    private readonly statements: AddHistoricalStatements,
    private readonly transactions: TransactionsWriter,
    private readonly documents: DocumentRepository,
  ) {}

  /**
   * Performs additions for accounts of one supplier, those of an account in their order. Each is added whole or not at all.
   * The caller holds the locks of the accounts, and enqueues the inspection of the documents after the commit.
   *
   * @returns the outcome of each, in their order
   */
  async add(executor: Executor, additions: readonly ImmediateAddition[]): Promise<AdditionOutcome[]> {
    const outcomes = new Map<ImmediateAddition, AdditionOutcome>();
    for (const round of divideByAccount(additions)) {
      const written = new Map<ImmediateAddition, Written>([
        ...(await this.addNotes(executor, ofKind(round, 'notes'))),
        ...(await this.addStatements(executor, ofKind(round, 'historical_statements'))),
        ...(await this.addTransactions(executor, ofKind(round, 'transactions'))),
      ]);
      const documentIds = await this.addDocuments(executor, written);
      for (const [addition, one] of written) {
        if (one.kind === 'refused') outcomes.set(addition, one);
        else {
          const { documents: _, ...added } = one;
          outcomes.set(addition, { ...added, documentIds: documentIds.get(addition.accountId) ?? [] });
        }
      }
    }
    return additions.map((addition) => outcomes.get(addition) as AdditionOutcome);
  }

  private async addNotes(
    executor: Executor,
    additions: readonly OfKind<'notes'>[],
  ): Promise<[ImmediateAddition, Written][]> {
    if (additions.length === 0) return [];
    const written = await this.notes.write(
      executor,
      additions.map(({ accountId, actor, input }) => ({ accountId, actor, notes: input })),
    );
    return additions.map((addition, index) => {
      const { answer = [], documents = [] } = written[index] ?? {};
      const added = answer.filter(({ status }) => status === 'NOTE_CREATION_SUCCESS').length;
      const different = answer.filter(({ differences }) => differences !== undefined).length;
      const existing = answer.length - added;
      return [addition, { kind: 'added', added, existing, different, moved: 0, documents }];
    });
  }

  private async addStatements(
    executor: Executor,
    additions: readonly OfKind<'historical_statements'>[],
  ): Promise<[ImmediateAddition, Written][]> {
    if (additions.length === 0) return [];
    const written = await this.statements.write(
      executor,
      additions.map(({ accountId, actor, input }) => ({ accountId, actor, statements: input, errors: [] })),
    );
    return additions.map((addition, index) => {
      const { conflicts = [], added = [] } = written[index] ?? {};
      if (conflicts.length > 0) return [addition, { kind: 'refused', errors: conflicts }];
      const existing = addition.input.length - added.length;
      const documents = documentsOf(added);
      return [addition, { kind: 'added', added: added.length, existing, different: 0, moved: 0, documents }];
    });
  }

  private async addTransactions(
    executor: Executor,
    additions: readonly OfKind<'transactions'>[],
  ): Promise<[ImmediateAddition, Written][]> {
    if (additions.length === 0) return [];
    const outcomes = await this.transactions.write(executor, additions);
    return additions.map((addition, index) => [
      addition,
      toWritten(addition, outcomes[index] as TransactionsOutcome),
    ]);
  }

  /** @returns the ids of the documents to inspect, by account */
  private async addDocuments(
    executor: Executor,
    written: ReadonlyMap<ImmediateAddition, Written>,
  ): Promise<Map<string, string[]>> {
    const rows = await this.documents.add(
      executor,
      [...written].flatMap(([{ accountId }, one]) =>
        one.kind === 'refused' ? [] : one.documents.map((document) => ({ accountId, ...document })),
      ),
    );
    const ids = new Map<string, string[]>();
    for (const { id, accountId } of rows) ids.set(accountId, [...(ids.get(accountId) ?? []), id]);
    return ids;
  }
}

/** Divides additions into rounds in which each account occurs once, so that an addition sees those before it. */
function divideByAccount(additions: readonly ImmediateAddition[]): ImmediateAddition[][] {
  const counts = new Map<string, number>();
  const rounds: ImmediateAddition[][] = [];
  for (const addition of additions) {
    const nth = counts.get(addition.accountId) ?? 0;
    counts.set(addition.accountId, nth + 1);
    (rounds[nth] ??= []).push(addition);
  }
  return rounds;
}

function ofKind<Kind extends ImmediateAddition['kind']>(
  additions: readonly ImmediateAddition[],
  kind: Kind,
): OfKind<Kind>[] {
  return additions.filter((addition): addition is OfKind<Kind> => addition.kind === kind);
}

function toWritten({ input }: OfKind<'transactions'>, outcome: TransactionsOutcome): Written {
  switch (outcome.kind) {
    case 'refused': {
      const { index, code, detail } = outcome;
      return { kind: 'refused', errors: [{ attr: `transactions.${index}`, code, detail }] };
    }
    case 'failed':
      throw new RangeError('The account of an addition is locked, so it has a ledger.');
    case 'added': {
      const existing = outcome.existing.length;
      const moved = Object.values(outcome.moved ?? {}).flat().length;
      const added = input.transactions.length - existing;
      return {
        kind: 'added',
        added,
        existing,
        different: outcome.different?.length ?? 0,
        moved,
        documents: [],
      };
    }
  }
}

import type { AfterImportSummary, EndpointSummary } from '../after-import/after-import-tally';
import { ENDPOINTS } from '../after-import/request-line';
import { cardRequest, flakyCardRequest, mandateRequest, refusedCardRequest } from './instructions';
import { historicalStatements, notesOfEveryKind, repeatedNote } from './notes-and-statements';
import {
  movedTransactions,
  repeatedTransaction,
  transactionsOfEveryKind,
  unmovableTransactions,
} from './transactions';
import { Random } from './random';
import { sampleAccount, type SampleBookOptions } from './sample-book';
import type { SampleRequest, Scenario } from './sample-request';

/** The options of the book that the after-import file belongs to. */
export type SampleAfterImportOptions = Pick<SampleBookOptions, 'accounts' | 'seed' | 'supplier'>;

/** Every nth account of the book has after-import requests. */
const ADD_TO_EVERY_NTH = 4;

/** The scenarios, used in turn. The first account has requests of every kind, as an example. */
export const SCENARIOS: readonly Scenario[] = [
  (subject) => [
    notesOfEveryKind(subject),
    transactionsOfEveryKind(subject),
    movedTransactions(subject),
    historicalStatements(subject),
    cardRequest(subject),
    mandateRequest(subject),
  ],
  (subject) => [...repeatedNote(), ...repeatedTransaction(subject)],
  (subject) => [movedTransactions(subject)],
  (subject) => [unmovableTransactions(subject)],
  (subject) => [historicalStatements(subject), mandateRequest(subject)],
  (subject) => [refusedCardRequest(subject), flakyCardRequest(subject)],
];

/**
 * Generates the lines of the after-import file of a sample book, each with its line feed: requests for some of its
 * accounts. The same options give the same bytes. The payment instructions are known to the sandbox.
 */
export function* sampleAfterImport(options: SampleAfterImportOptions): Generator<string> {
  for (const { endpoint, query, body } of sampleRequests(options)) {
    yield `${JSON.stringify({ endpoint, query, body })}\n`;
  }
}

/** The summary that a correct service gives when the file is sent for the first time. */
export function expectedAfterImport(options: SampleAfterImportOptions): AfterImportSummary {
  const counts = new Map(ENDPOINTS.map((endpoint) => [endpoint, emptySummary()]));
  for (const { endpoint, outcome } of sampleRequests(options)) {
    const count = counts.get(endpoint) ?? emptySummary();
    count.requests += 1;
    if ('refused' in outcome) {
      count.refused[outcome.refused] = (count.refused[outcome.refused] ?? 0) + 1;
    } else {
      count.added += outcome.added;
      count.already_there += outcome.alreadyThere ?? 0;
    }
  }
  return Object.fromEntries([...counts].filter(([, { requests: sent }]) => sent > 0));
}

function* sampleRequests(options: SampleAfterImportOptions): Generator<SampleRequest> {
  const { accounts, seed, supplier } = options;
  for (let nth = 0; nth * ADD_TO_EVERY_NTH < accounts; nth++) {
    const serial = nth * ADD_TO_EVERY_NTH;
    const account = sampleAccount(options, serial);
    const externalAccountNumber = String(account['external_account_number']);
    const subject = {
      account,
      externalAccountNumber,
      takeover: String(account['last_billed_to_date']),
      serial,
      turn: Math.floor(nth / SCENARIOS.length),
      random: new Random(seed, 'after-import', serial),
    };
    for (const request of SCENARIOS[nth % SCENARIOS.length]?.(subject) ?? []) {
      const accountFields = { import_supplier: supplier, external_account_number: externalAccountNumber };
      yield { ...request, body: { ...accountFields, ...request.body } };
    }
  }
}

function emptySummary(): EndpointSummary {
  return { requests: 0, added: 0, already_there: 0, refused: {}, failed: 0 };
}

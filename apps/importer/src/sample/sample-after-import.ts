import { type AfterImportSummary, type EndpointSummary } from '../after-import/after-import-tally';
import { ENDPOINTS } from '../after-import/request-line';
import { card, flakyCard, mandate, refusedCard } from './instructions';
import { notesOfEveryKind, pastStatements, repeatedNote } from './papers';
import {
  repeatedTransaction,
  transactionsOfEveryKind,
  transactionsThatAreMoved,
  transactionsThatMayNotBeMoved,
} from './postings';
import { Random } from './random';
import { sampleAccount, type SampleBookOptions } from './sample-book';
import { type SampleRequest, type Scenario } from './sample-request';

export type SampleAfterImportOptions = Pick<SampleBookOptions, 'accounts' | 'seed' | 'supplier'>;

/** One account in so many is added to. */
const EVERY = 4;

/** What is added, in turn; the first account has some of everything, for those who want to look at one. */
export const SCENARIOS: readonly Scenario[] = [
  (subject) => [
    notesOfEveryKind(subject),
    transactionsOfEveryKind(subject),
    transactionsThatAreMoved(subject),
    pastStatements(subject),
    card(subject),
    mandate(subject),
  ],
  (subject) => [...repeatedNote(), ...repeatedTransaction(subject)],
  (subject) => [transactionsThatAreMoved(subject)],
  (subject) => [transactionsThatMayNotBeMoved(subject)],
  (subject) => [pastStatements(subject), mandate(subject)],
  (subject) => [refusedCard(subject), flakyCard(subject)],
];

/**
 * The lines of the file that goes with a sample book, each with its line feed: requests for some of its accounts. The
 * same options give the same bytes, and the payment instructions are those of the sandbox.
 */
export function* sampleAfterImport(options: SampleAfterImportOptions): Generator<string> {
  for (const { endpoint, query, body } of requests(options)) {
    yield `${JSON.stringify({ endpoint, query, body })}\n`;
  }
}

/** What a correct service makes of it the first time. */
export function expectedAfterImport(options: SampleAfterImportOptions): AfterImportSummary {
  const counts = new Map(ENDPOINTS.map((endpoint) => [endpoint, nothing()]));
  for (const { endpoint, becomes } of requests(options)) {
    const count = counts.get(endpoint) ?? nothing();
    count.requests += 1;
    if ('refused' in becomes) {
      count.refused[becomes.refused] = (count.refused[becomes.refused] ?? 0) + 1;
    } else {
      count.added += becomes.added;
      count.already_there += becomes.alreadyThere ?? 0;
    }
  }
  return Object.fromEntries([...counts].filter(([, { requests: sent }]) => sent > 0));
}

function* requests(options: SampleAfterImportOptions): Generator<SampleRequest> {
  const { accounts, seed, supplier } = options;
  for (let nth = 0; nth * EVERY < accounts; nth++) {
    const serial = nth * EVERY;
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
      const whose = { import_supplier: supplier, external_account_number: externalAccountNumber };
      yield { ...request, body: { ...whose, ...request.body } };
    }
  }
}

function nothing(): EndpointSummary {
  return { requests: 0, added: 0, already_there: 0, refused: {}, failed: 0 };
}

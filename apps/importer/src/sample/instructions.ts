import { type SampleRequest, type Subject } from './sample-request';

type Becomes = SampleRequest['becomes'];
const ADDED: Becomes = { added: 1 };

/** References that the sandbox of Portage's local environment knows; what it does follows from the name in them. */
const FLAKY: readonly [string, Becomes] = ['pm_sandboxFlaky', ADDED];
const CARDS: readonly [string, Becomes][] = [
  ['pm_sandboxVisa', ADDED],
  ['pm_sandboxMastercard', ADDED],
];
const REFUSED_CARDS: readonly [string, Becomes][] = [
  ['pm_sandboxExpired', { refused: 'instruction_expired' }],
  ['pm_sandboxNotFound', { refused: 'instruction_not_found' }],
];
const MANDATES: readonly [string, Becomes][] = [
  ['MDSANDBOXACTIVE', ADDED],
  ['MDSANDBOXSUBMITTED', ADDED],
  ['MDSANDBOXCANCELLED', { refused: 'instruction_cancelled' }],
];

export function card(subject: Subject): SampleRequest {
  return instruction(subject, 'STRIPE', 'CARD', inTurn(CARDS, subject));
}

/** The vendor fails twice before it knows the card. Once a book: the second time takes seconds. */
export function flakyCard(subject: Subject): SampleRequest {
  return subject.turn === 0 ? instruction(subject, 'STRIPE', 'CARD', FLAKY) : card(subject);
}

export function refusedCard(subject: Subject): SampleRequest {
  return instruction(subject, 'STRIPE', 'CARD', inTurn(REFUSED_CARDS, subject));
}

export function mandate(subject: Subject): SampleRequest {
  return instruction(subject, 'GOCARDLESS', 'DIRECT_DEBIT', inTurn(MANDATES, subject));
}

function inTurn(list: readonly [string, Becomes][], { turn }: Subject): readonly [string, Becomes] {
  return list[turn % list.length] ?? FLAKY;
}

/** Digits after its name make the reference the account's own. */
function instruction(
  { serial }: Subject,
  vendor: string,
  type: string,
  [name, becomes]: readonly [string, Becomes],
): SampleRequest {
  const reference = `${name}${String(serial).padStart(7, '0')}`;
  return { endpoint: 'payment-instruction', body: { vendor, type, reference }, becomes };
}

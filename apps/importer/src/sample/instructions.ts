import type { SampleRequest, Subject } from './sample-request';

type Outcome = SampleRequest['outcome'];
const ADDED: Outcome = { added: 1 };

/** References that the sandbox of the local environment knows. The name in a reference determines the sandbox's response. */
const FLAKY: readonly [string, Outcome] = ['pm_sandboxFlaky', ADDED];
const CARDS: readonly [string, Outcome][] = [
  ['pm_sandboxVisa', ADDED],
  ['pm_sandboxMastercard', ADDED],
];
const REFUSED_CARDS: readonly [string, Outcome][] = [
  ['pm_sandboxExpired', { refused: 'instruction_expired' }],
  ['pm_sandboxNotFound', { refused: 'instruction_not_found' }],
];
const MANDATES: readonly [string, Outcome][] = [
  ['MDSANDBOXACTIVE', ADDED],
  ['MDSANDBOXSUBMITTED', ADDED],
  ['MDSANDBOXCANCELLED', { refused: 'instruction_cancelled' }],
];

/** A card that is added. */
export function cardRequest(subject: Subject): SampleRequest {
  return instructionRequest(subject, 'STRIPE', 'CARD', pickByTurn(CARDS, subject));
}

/** A card for which the vendor fails twice before it responds. Used once per book, because the retries take seconds. */
export function flakyCardRequest(subject: Subject): SampleRequest {
  return subject.turn === 0 ? instructionRequest(subject, 'STRIPE', 'CARD', FLAKY) : cardRequest(subject);
}

/** A card that is refused. */
export function refusedCardRequest(subject: Subject): SampleRequest {
  return instructionRequest(subject, 'STRIPE', 'CARD', pickByTurn(REFUSED_CARDS, subject));
}

/** A direct debit mandate, active, submitted or cancelled in turn. */
export function mandateRequest(subject: Subject): SampleRequest {
  return instructionRequest(subject, 'GOCARDLESS', 'DIRECT_DEBIT', pickByTurn(MANDATES, subject));
}

function pickByTurn(list: readonly [string, Outcome][], { turn }: Subject): readonly [string, Outcome] {
  return list[turn % list.length] ?? FLAKY;
}

/** Builds a request. The account's serial number after the name makes the reference unique. */
function instructionRequest(
  { serial }: Subject,
  vendor: string,
  type: string,
  [name, outcome]: readonly [string, Outcome],
): SampleRequest {
  const reference = `${name}${String(serial).padStart(7, '0')}`;
  return { endpoint: 'payment-instruction', body: { vendor, type, reference }, outcome };
}

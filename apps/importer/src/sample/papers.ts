import { addDays, at, firstOfMonth } from './calendar';
import { notes, type SampleRequest, type Subject } from './sample-request';

const LETTER = 'The customer asks for the tariff to be explained; answered by letter.';

/** A plain note, one that is pinned for a while, and one with a letter. */
export function notesOfEveryKind({ externalAccountNumber, takeover }: Subject): SampleRequest {
  const written = addDays(takeover, 6);
  return notes([
    { body: 'Welcome call made; the move was explained.' },
    { body: 'Meter cupboard key with the neighbour.', is_pinned: true, unpin_at: at('2040-01-01', 0) },
    {
      body: LETTER,
      created_at: at(written, 13, 5),
      document_paths: [{ document_path: `${externalAccountNumber}/letters/${written}.pdf` }],
    },
  ]);
}

/** The second request has a note of the first one. */
export function repeatedNote(): SampleRequest[] {
  const repeated = { body: 'Asked to be called in the evening.' };
  return [
    notes([repeated, { body: 'Moved with the second group.' }]),
    notes([{ body: 'Called in the evening; nothing left to do.' }, repeated], 1),
  ];
}

/** The three months before the one that the account's own statement is about; the oldest without its PDF. */
export function pastStatements({ externalAccountNumber, takeover, random }: Subject): SampleRequest {
  const statements = [4, 3, 2].map((ago, nth) => {
    const from = firstOfMonth(takeover, -ago);
    const next = firstOfMonth(takeover, 1 - ago);
    const month = from.slice(0, 7);
    return {
      statement_id: `ST-${month}`,
      number: `INV-${month}-${externalAccountNumber}`,
      bill_period_from_date: from,
      bill_period_to_date: addDays(next, -1),
      issued_date: addDays(next, 2),
      gross_amount: random.between(3000, 30_000),
      statement_path: nth === 0 ? undefined : `${externalAccountNumber}/${month}.pdf`,
    };
  });
  return { endpoint: 'historical-statements', body: { statements }, becomes: { added: statements.length } };
}

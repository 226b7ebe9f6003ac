import { addDays, firstOfMonth, momentAt } from './calendar';
import { notesRequest, type SampleRequest, type Subject } from './sample-request';

const LETTER = 'The customer asks for the tariff to be explained; answered by letter.';

/** A plain note, a note that is pinned until a date, and a note with a document. */
export function notesOfEveryKind({ externalAccountNumber, takeover }: Subject): SampleRequest {
  const written = addDays(takeover, 6);
  return notesRequest([
    { body: 'Welcome call made; the move was explained.' },
    { body: 'Meter cupboard key with the neighbour.', is_pinned: true, unpin_at: momentAt('2040-01-01', 0) },
    {
      body: LETTER,
      created_at: momentAt(written, 13, 5),
      document_paths: [{ document_path: `${externalAccountNumber}/letters/${written}.pdf` }],
    },
  ]);
}

/** Two requests, of which the second repeats a note of the first. */
export function repeatedNote(): SampleRequest[] {
  const repeated = { body: 'Asked to be called in the evening.' };
  return [
    notesRequest([repeated, { body: 'Moved with the second group.' }]),
    notesRequest([{ body: 'Called in the evening; nothing left to do.' }, repeated], 1),
  ];
}

/** Statements of the three months before the account's own statement; the oldest one has no PDF. */
export function historicalStatements({ externalAccountNumber, takeover, random }: Subject): SampleRequest {
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
  return { endpoint: 'historical-statements', body: { statements }, outcome: { added: statements.length } };
}

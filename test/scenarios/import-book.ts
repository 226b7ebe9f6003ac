import type { Installation } from '@portage/testing/installation';
import { Clients, Submission, untilProcessed } from '@portage/testing/promises';
import { wholeBook, WHOLE_MEASURES } from './book';
import type { ScenarioRun } from './scenario';

/** Uploads a book of whole accounts, and waits for its import. @returns the book, and the id of its submission */
export async function importBook(
  { random, atEnd }: ScenarioRun,
  installation: Installation,
  { key, size, timeoutMs }: { key: string; size: number; timeoutMs: number },
): Promise<{ id: string; book: Map<string, object> }> {
  const clients = new Clients(installation, { random });
  atEnd(() => {
    clients.stop();
  });
  const book = wholeBook(key, size);
  const opened = { reference: `book of ${key}`, book, measures: WHOLE_MEASURES };
  const submission = await Submission.open(installation, clients, opened);
  await submission.send();
  await untilProcessed(installation, key, size, () => clients.summary(), timeoutMs);
  expect([...clients.unexpected, ...(await submission.findDifferences())]).toEqual([]);
  return { id: submission.id, book };
}

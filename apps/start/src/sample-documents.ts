import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { type Config } from '@portage/config';
import { type DocumentKey, documentKey, documentStoreOf } from '@portage/documents';
import PdfDocument from 'pdfkit';

/** What a sample PDF says. */
interface Page {
  title: string;
  /** YYYY-MM-DD; the same page gives the same bytes whenever it is written. */
  date: string;
  lines: string[];
}

/**
 * Puts a PDF where each document path of the sample files points, below the supplier's document root. One that is
 * there already is left alone.
 *
 * @param files accounts and requests, one JSON object a line
 * @returns how many were put there
 */
export async function putSampleDocuments(
  config: Config,
  documentRoot: string,
  files: readonly string[],
): Promise<number> {
  const store = documentStoreOf(config);
  const pages = await pagesOf(files, documentRoot);
  const existing = await store.existing(pages.keys());
  const missing = [...pages].filter(([key]) => !existing.has(key));
  for (const [key, page] of missing) await store.put(key, await pdf(page));
  return missing.length;
}

async function pagesOf(files: readonly string[], documentRoot: string): Promise<Map<DocumentKey, Page>> {
  const pages = new Map<DocumentKey, Page>();
  const add = (path: unknown, page: Page) => {
    const place = typeof path === 'string' ? documentKey(documentRoot, path) : undefined;
    if (place?.outcome === 'resolved') pages.set(place.key, page);
  };
  for (const file of files)
    for await (const line of createInterface({ input: createReadStream(file) })) {
      const account = bodyOf(line);
      const number = String(account['external_account_number']);
      for (const statement of listIn(account, 'statements'))
        add(statement['statement_path'], statementPage(number, statement));
      for (const note of listIn(account, 'notes'))
        for (const document of listIn(note, 'document_paths'))
          add(document['document_path'], letterPage(number, note));
    }
  return pages;
}

type Json = Record<string, unknown>;

/** The account of a book's line, or the body of a request; empty for the lines that are wrong on purpose. */
function bodyOf(line: string): Json {
  try {
    const value = JSON.parse(line) as Json;
    return (value['payload'] ?? value['body'] ?? value) as Json;
  } catch {
    return {};
  }
}

function listIn(object: Json, name: string): Json[] {
  const list = object[name];
  return Array.isArray(list) ? (list as Json[]) : [];
}

function statementPage(number: string, statement: Json): Page {
  const said = (field: string) => String(statement[field]);
  return {
    title: `Statement ${said('number')}`,
    date: said('issued_date'),
    lines: [
      `Account ${number}`,
      `From ${said('bill_period_from_date')} to ${said('bill_period_to_date')}`,
      `Total in pence: ${said('gross_amount')}`,
    ],
  };
}

function letterPage(number: string, note: Json): Page {
  return {
    title: 'Letter',
    date: String(note['created_at']).slice(0, 10),
    lines: [`Account ${number}`, String(note['body'])],
  };
}

async function pdf({ title, date, lines }: Page): Promise<Buffer> {
  const document = new PdfDocument({
    size: 'A4',
    info: { Title: title, CreationDate: new Date(`${date}T00:00:00Z`) },
  });
  document.fontSize(18).text(title).moveDown().fontSize(11);
  for (const line of lines) document.text(line);
  document.moveDown().text('A sample. No such account exists.');
  document.end();
  return buffer(document);
}

import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { type Config, createDocumentStore, type DocumentKey, documentKey } from '@portage/platform';
import PdfDocument from 'pdfkit';

/** The content of a sample PDF. */
interface Page {
  title: string;
  /** YYYY-MM-DD. It is the creation date of the PDF, so that equal pages have equal bytes. */
  date: string;
  lines: string[];
}

/**
 * Stores a PDF for each document path in the sample files, below the supplier's document root. Existing documents are
 * not replaced.
 *
 * @param files accounts and requests, one JSON object per line
 * @returns the number of stored documents
 */
export async function putSampleDocuments(
  config: Config,
  documentRoot: string,
  files: readonly string[],
): Promise<number> {
  const store = createDocumentStore(config);
  const pages = await collectPages(files, documentRoot);
  const existing = await store.existing(pages.keys());
  const missing = [...pages].filter(([key]) => !existing.has(key));
  for (const [key, page] of missing) await store.put(key, await renderPdf(page));
  return missing.length;
}

async function collectPages(files: readonly string[], documentRoot: string): Promise<Map<DocumentKey, Page>> {
  const pages = new Map<DocumentKey, Page>();
  const add = (path: unknown, page: Page) => {
    const resolved = typeof path === 'string' ? documentKey(documentRoot, path) : undefined;
    if (resolved?.outcome === 'resolved') pages.set(resolved.key, page);
  };
  for (const file of files)
    for await (const line of createInterface({ input: createReadStream(file) })) {
      const account = parseBody(line);
      const number = String(account['external_account_number']);
      for (const statement of readList(account, 'statements'))
        add(statement['statement_path'], buildStatementPage(number, statement));
      for (const note of readList(account, 'notes'))
        for (const document of readList(note, 'document_paths'))
          add(document['document_path'], buildLetterPage(number, note));
    }
  return pages;
}

type Json = Record<string, unknown>;

/** The account of a line of the book, or the body of a request. Empty for lines that are not JSON on purpose. */
function parseBody(line: string): Json {
  try {
    const value = JSON.parse(line) as Json;
    return (value['payload'] ?? value['body'] ?? value) as Json;
  } catch {
    return {};
  }
}

function readList(object: Json, name: string): Json[] {
  const list = object[name];
  return Array.isArray(list) ? (list as Json[]) : [];
}

function buildStatementPage(number: string, statement: Json): Page {
  const text = (field: string) => String(statement[field]);
  return {
    title: `Statement ${text('number')}`,
    date: text('issued_date'),
    lines: [
      `Account ${number}`,
      `From ${text('bill_period_from_date')} to ${text('bill_period_to_date')}`,
      `Total in pence: ${text('gross_amount')}`,
    ],
  };
}

function buildLetterPage(number: string, note: Json): Page {
  return {
    title: 'Letter',
    date: String(note['created_at']).slice(0, 10),
    lines: [`Account ${number}`, String(note['body'])],
  };
}

async function renderPdf({ title, date, lines }: Page): Promise<Buffer> {
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

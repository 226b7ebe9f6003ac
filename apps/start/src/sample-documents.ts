import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Config, createDocumentStore, type DocumentKey, documentKey } from '@portage/platform';
import { EXAMPLES } from './paths';
import { SAMPLE } from './sample';

/**
 * Stores the sample document at each document path in the sample files, below the document root of their supplier.
 * Existing documents are not replaced.
 *
 * @param documentRoots of the suppliers of the sample, by their codes
 * @returns the number of stored documents
 */
export async function putSampleDocuments(
  config: Config,
  documentRoots: ReadonlyMap<string, string>,
): Promise<number> {
  const store = createDocumentStore(config);
  const keys = new Set<DocumentKey>();
  for (const { supplier, book, additions } of SAMPLE)
    await collectKeys([book, ...(additions ? [additions] : [])], documentRoots.get(supplier) ?? '', keys);
  const existing = await store.existing(keys);
  const missing = [...keys].filter((key) => !existing.has(key));
  const document = await readFile(join(EXAMPLES, 'sample-document.pdf'));
  for (const key of missing) await store.put(key, document);
  return missing.length;
}

/** @param files accounts and additions, one JSON object per line */
async function collectKeys(
  files: readonly string[],
  documentRoot: string,
  keys: Set<DocumentKey>,
): Promise<void> {
  const add = (path: unknown) => {
    const resolved = typeof path === 'string' ? documentKey(documentRoot, path) : undefined;
    if (resolved?.outcome === 'resolved') keys.add(resolved.key);
  };
  for (const file of files)
    for await (const line of createInterface({ input: createReadStream(file) })) {
      const account = parseBody(line);
      for (const statement of readList(account, 'statements')) add(statement['statement_path']);
      for (const note of readList(account, 'notes'))
        for (const document of readList(note, 'document_paths')) add(document['document_path']);
    }
}

type Json = Record<string, unknown>;

/** The account of a line, or the body of an addition with documents. Empty for lines that are not JSON on purpose. */
function parseBody(line: string): Json {
  try {
    const value = JSON.parse(line) as Json;
    return (value['payload'] ?? bodyOf(value) ?? value) as Json;
  } catch {
    return {};
  }
}

/** The body of notes or statements. In an account, both are lists. */
function bodyOf(line: Json): unknown {
  return [line['notes'], line['historical_statements']].find(
    (one) => one !== undefined && !Array.isArray(one),
  );
}

function readList(object: Json, name: string): Json[] {
  const list = object[name];
  return Array.isArray(list) ? (list as Json[]) : [];
}

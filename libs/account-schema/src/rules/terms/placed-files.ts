import type { Account } from '../../contract/account';
import type { Note } from '../../contract/documents';
import { isGiven } from './is-given';

/** The path of a document in the file store (`file`) and the path of its field in the body (`path`). */
export interface DocumentReference {
  readonly file: string;
  readonly path: string;
}

/** All documents that an account, or a request with statements or notes, refers to. */
export function findDocumentReferences({
  statements,
  notes,
  portfolio,
  business,
}: Pick<Account, 'statements' | 'notes' | 'portfolio' | 'business'>): DocumentReference[] {
  return [
    ...(statements ?? []).flatMap(({ statement_path: file }, i) =>
      isGiven(file) ? [{ file, path: `statements.${i}.statement_path` }] : [],
    ),
    ...filesOfNotes(notes, 'notes'),
    ...filesOfNotes(portfolio?.notes, 'portfolio.notes'),
    ...(business?.portfolios ?? []).flatMap((one, i) =>
      filesOfNotes(one.notes, `business.portfolios.${i}.notes`),
    ),
  ];
}

function filesOfNotes(notes: readonly Note[] | undefined, prefix: string): DocumentReference[] {
  return (notes ?? []).flatMap(({ document_paths: documents }, i) =>
    (documents ?? []).map(({ document_path: file }, k) => ({
      file,
      path: `${prefix}.${i}.document_paths.${k}.document_path`,
    })),
  );
}

/** An example of `DocumentRoot`. */
export const exampleDocumentRoot = { import_supplier: 'DEMO', document_root: 'demo' };

/** An example of `RetriedDocuments`. */
export const exampleRetriedDocuments = { retried: 12, without_job: 0, remaining: false, next_cursor: null };

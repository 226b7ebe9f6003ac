import type { SubmissionResult } from '@portage/submissions';
import { resultsFormatOf, toCsv, toNdjson } from './results-format';

const result = (more: Partial<SubmissionResult> = {}): SubmissionResult => ({
  upload: 1,
  line: 2,
  external_account_number: 'N-1',
  kind: 'account',
  addition: null,
  outcome: 'refused',
  platform_account_number: null,
  payload_digest: 'sha-256=:AA==:',
  duplicate_of: null,
  documents_named: 2,
  documents_missing: 1,
  errors: [],
  warnings: [],
  changes: [],
  change_count: 0,
  ...more,
});

async function textOf(format: typeof toCsv, ...results: SubmissionResult[]): Promise<string> {
  const chunks = async function* () {
    for (const one of results) yield Promise.resolve([one]);
  };
  let text = '';
  for await (const chunk of format(chunks())) text += chunk;
  return text;
}

const HEADER =
  '"upload","line","external_account_number","outcome","platform_account_number","error_code","errors","payload_digest","duplicate_of_upload","duplicate_of_line","documents_named","documents_missing","warnings","change_count","changed_paths","kind","added","existing","different","moved"\r\n';

describe('the format of results', () => {
  it.each([
    [undefined, 'ndjson'],
    ['*/*', 'ndjson'],
    ['application/x-ndjson', 'ndjson'],
    ['text/csv', 'csv'],
    ['TEXT/CSV; charset=utf-8', 'csv'],
    ['text/html, text/csv;q=0.5', 'csv'],
    ['application/x-ndjson, text/csv;q=0.5', 'ndjson'],
    ['application/x-ndjson;q=0.1, text/csv;q=0.5', 'csv'],
    ['text/csv;q=0', 'ndjson'],
    ['text/csv;q=x', 'ndjson'],
  ])('a request with Accept: %s gets %s', (accept, format) => {
    expect(resultsFormatOf(accept)).toBe(format);
  });

  it('is one JSON object a line', async () => {
    expect(await textOf(toNdjson, result(), result({ line: 3 }))).toBe(
      `${JSON.stringify(result())}\n${JSON.stringify(result({ line: 3 }))}\n`,
    );
    expect(await textOf(toNdjson)).toBe('');
  });

  it('is CSV with quoted fields, CRLF and a header', async () => {
    const errors = [
      { code: 'required', detail: 'A "name" is required.', attr: 'customers.0' },
      { code: 'invalid', detail: 'Not valid.', attr: null },
    ];
    const warnings = [
      { code: 'placeholder_name', detail: 'The name "N/A".', attr: 'customers.0.given_name' },
    ];
    expect(await textOf(toCsv, result({ errors, warnings, platform_account_number: 'A-00000001' }))).toBe(
      `${HEADER}"1","2","N-1","refused","A-00000001","required","customers.0: A ""name"" is required. (required)\nNot valid. (invalid)","sha-256=:AA==:","","","2","1","customers.0.given_name: The name ""N/A"". (placeholder_name)","0","","account","","","",""\r\n`,
    );
    expect(await textOf(toCsv, result({ duplicate_of: { upload: 1, line: 1 } }))).toBe(
      `${HEADER}"1","2","N-1","refused","","","","sha-256=:AA==:","1","1","2","1","","0","","account","","","",""\r\n`,
    );
    expect(await textOf(toCsv)).toBe(HEADER);
  });

  it.each(['=', '+', '-', '@', '\t', '\r', '\n', '＝'])(
    'has no field in CSV that starts with %j',
    async (start) => {
      const formula = `${start}HYPERLINK("http://example.org")`;
      const errors = [{ code: formula, detail: formula, attr: formula }];
      const text = await textOf(toCsv, result({ external_account_number: formula, errors }));
      const quoted = `"'${formula.replaceAll('"', '""')}`;
      expect(text.split(quoted)).toHaveLength(4);
      expect(text).not.toContain(`,"${start}`);
    },
  );
});

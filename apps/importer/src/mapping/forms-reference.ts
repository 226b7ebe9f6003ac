import { type FormDefinition, FORMS, PLAIN_FORM } from './form-definitions';

/** The marks in docs/mapping.md that the reference stands between. */
export const REFERENCE_START =
  '<!-- The forms, written by npm run build && node dist/apps/importer/src/mapping/write-mapping-docs.js -->';
export const REFERENCE_END = '<!-- End of the forms -->';

/** The forms of a value, as a table in Markdown with an example for each. */
export function formsReference(): string {
  const rows = [PLAIN_FORM, ...Object.values(FORMS)].map(describe);
  return ['| form | cells | value | meaning |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function describe({
  meaning,
  example: { yaml, cells, value, refused = [] },
}: Omit<FormDefinition, 'members'>): string {
  const given = Object.values(cells).map((cell) => (cell === '' ? 'empty' : code(cell)));
  const errors =
    refused.length === 0
      ? ''
      : `; ${refused.map(code).join(', ')} ${refused.length > 1 ? 'are errors' : 'is an error'}`;
  return `| \`${yaml}\` | ${given.join(', ')} | ${code(value)}${errors} | ${meaning} |`;
}

function code(text: string): string {
  return `\`${text.trim()}\``;
}

/** The page with the reference in it. */
export function withReference(page: string): string {
  const [before, rest = ''] = page.split(REFERENCE_START);
  const after = rest.split(REFERENCE_END)[1] ?? '';
  return `${before}${REFERENCE_START}\n\n${formsReference()}\n\n${REFERENCE_END}${after}`;
}

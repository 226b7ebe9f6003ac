import type { BookReport, Measure } from './book-import';
import { shortPath } from './paths';
import type { SamplePart } from './sample';

/** The import of a part of the sample. */
export interface ImportedPart {
  part: SamplePart;
  report: BookReport;
  /** The file with the errors. */
  errors: string;
}

const LABEL_WIDTH = 13;
const LINE_WIDTH = 120;

/**
 * What was imported, what was refused and why, and the totals of what should be imported: at most 16 lines.
 *
 * @param again the second version of one of the parts, if it was sent
 */
export function summarizeImports(imports: readonly ImportedPart[], again?: ImportedPart): string[] {
  return [
    ...labelled('Imported', describeImported(imports)),
    ...imports.flatMap(({ part, report, errors }) => describeRefused(part.supplier, report.refused, errors)),
    ...imports.flatMap(({ report }) => describeAdditions(report)),
    ...(again ? describeSentAgain(again) : []),
    // The last version of a book is reconciled as a whole.
    ...reconciliationOf(imports.map((one) => (again?.part.supplier === one.part.supplier ? again : one))),
  ];
}

/** The plan of a book that was sent again, and what became of it. */
function describeSentAgain({ part: { supplier }, report }: ImportedPart): string[] {
  const { plan, corrected, unchanged } = report;
  const counts = plan && [
    `Create ${plan.would_create}`,
    `Correct ${plan.would_correct}`,
    `Unchanged ${plan.unchanged}`,
    `Refused ${plan.refused}`,
  ];
  return [
    ...(counts
      ? labelled('Plan', `${counts.join(' · ')} in a second version of the book of ${supplier}`)
      : []),
    ...labelled(
      'Corrected',
      `${corrected} accounts of ${supplier}${plan ? '' : ' earlier'}, ${unchanged} unchanged`,
    ),
  ];
}

function describeImported(imports: readonly ImportedPart[]): string {
  return imports
    .map(({ part, report }) => {
      const { processed, already_imported: before } = report;
      const earlier = before === 0 ? '' : before < processed ? `, ${before} of them earlier` : ' earlier';
      return `${processed + before} accounts of ${part.supplier} (profile ${part.profile})${earlier}`;
    })
    .join(', ');
}

function describeRefused(supplier: string, refused: Record<string, number>, errors: string): string[] {
  const count = total(refused);
  if (count === 0) return [];
  return labelled(
    'Refused',
    `${count} accounts of ${supplier} on purpose, listed in ${shortPath(errors)}: ${listCounts(refused)}`,
  );
}

function describeAdditions({ additions }: BookReport): string[] {
  if (!additions) return [];
  const counts = Object.entries(additions).map(([kind, { added, existing }]) => [
    kind === 'payment_instruction' ? 'payment instructions' : kind.replaceAll('_', ' '),
    added + existing,
  ]);
  const refused = Object.values(additions).reduce((sum, one) => sum + total(one.failed), 0);
  return labelled(
    'Added later',
    `${listCounts(Object.fromEntries(counts) as Record<string, number>)}. ${refused} refused on purpose`,
  );
}

/** The totals of what should be imported beside those of what is. */
function reconciliationOf(imports: readonly ImportedPart[]): string[] {
  const reconciliations = imports.map(({ report }) => report.submission?.reconciliation);
  const isReconciled = reconciliations.every((one) => one?.reconciled === true);
  const measures = reconciliations.map(
    (one) => one?.measures.filter(({ expected }) => expected !== null) ?? [],
  );
  const names = new Map(measures.flat().map((one) => [one.measure, nameOf(one)]));
  const columns = imports.map(({ part }) => cells([`${part.supplier} expected`, 'imported'])).join('  ');
  const rows = [...names].map(([measure, name]) => {
    const values = measures.map((list) => list.find((one) => one.measure === measure));
    return `${name.padEnd(22)}${values.map((one) => cells([one?.expected ?? '', one?.imported ?? ''])).join('  ')}`;
  });
  return ['', `${(isReconciled ? 'Reconciled' : 'NOT RECONCILED').padEnd(22)}${columns}`, ...rows];
}

function nameOf({ measure, currency }: Measure): string {
  return [measure.replaceAll('_', ' '), currency ?? ''].join(' ').trimEnd();
}

function cells(values: readonly (string | number)[]): string {
  return values.map((value) => String(value).padStart(18)).join('');
}

function listCounts(counts: Record<string, number>): string {
  return Object.entries(counts)
    .sort(([, one], [, other]) => other - one)
    .map(([name, count]) => (count === 1 ? name : `${count} ${name}`))
    .join(', ');
}

function total(counts: Record<string, number>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** A text after a label, in lines that fit a terminal. */
function labelled(label: string, text: string): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line.length + word.length + 1 > LINE_WIDTH - LABEL_WIDTH) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.map((line, nth) => (nth === 0 ? label : '').padEnd(LABEL_WIDTH) + line);
}

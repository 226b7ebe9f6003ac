import { bodyFields, type FieldType } from '../account-fields';
import { type ColumnSample, SAMPLE_ROWS, samplesOf } from './column-sample';
import type { GuessedMapping, GuessedSource } from './guess-mapping';
import { scalar } from './guess-value';
import { guessDays } from './value-forms';
import { type GuessedList, type GuessedNode, type GuessedObject, isMapped } from './guessed-account';

/**
 * A guessed mapping as a mapping file, with the reason of each guess as a comment.
 *
 * @param schema the path or address of the JSON Schema
 */
export function mappingText({ sources, account }: GuessedMapping, schema: string): string {
  const lines = [
    `# yaml-language-server: $schema=${schema}`,
    `# Written by map init from at most ${SAMPLE_ROWS} rows of each file. "guess" marks what may be wrong, "open" what you have to decide:`,
    '# choose one of the lines, remove its "#", and take the column out of unused. Samples are data of customers.',
    'source:',
    ...sources.flatMap(sourceLines),
    'supplier: { profile: core, region: GB, time_zone: Europe/London } # guess: the defaults of a supplier',
    'account:',
    ...objectLines(account.root, bodyFields('account'), false).map(indent),
  ];
  const unused = sources.filter((source) => source.unused.length > 0).flatMap(unusedLines);
  return `${[...lines, ...(unused.length === 0 ? [] : ['unused:']), ...unused].join('\n')}\n`;
}

function sourceLines({ sample: { settings, guess }, key }: GuessedSource): string[] {
  const delimiter = settings.delimiter === '\t' ? 'tab' : `'${settings.delimiter}'`;
  return [
    `  ${settings.name}:`,
    `    file: ${scalar(settings.file)}`,
    `    encoding: ${settings.encoding} # guess: ${guess.encoding.reason}`,
    `    delimiter: ${delimiter} # guess: ${guess.delimiter.reason}`,
    `    key: ${scalar(key.value)} # guess: ${key.reason}`,
  ];
}

function unusedLines({ sample, unused }: GuessedSource): string[] {
  const lines = unused.map(
    ({ column, note }) => `    - ${scalar(column.name)} # ${note}; ${describeSamples(column)}`,
  );
  return [`  ${sample.settings.name}:`, ...lines];
}

function describeSamples(column: ColumnSample): string {
  if (column.values.length === 0) return samplesOf(column);
  const days = guessDays(column.values);
  const forms = days.is === 'plain' ? [days.form] : days.is === 'ambiguous' ? days.forms : [];
  return `${forms.length === 0 ? 'samples' : `days as ${forms.join(' or ')}:`} ${samplesOf(column)}`;
}

/** @param isOff true inside a part that is a comment as a whole */
function nodeLines(name: string, node: GuessedNode, type: FieldType | undefined, isOff: boolean): string[] {
  // A part without a value would be no mapping.
  if (!isOff && node.is !== 'value' && !isMapped(node))
    return nodeLines(name, node, type, true).map((line) => `# ${line}`);
  if (node.is === 'value') {
    const mark = node.isOpen && !isOff ? '# ' : '';
    return node.forms.map((form) => `${mark}${name}: ${form} # ${node.reason}`);
  }
  const lines = node.is === 'object' ? objectLines(node, type, isOff) : listLines(node, type, isOff);
  return [`${name}:`, ...lines.map(indent)];
}

function objectLines({ fields }: GuessedObject, type: FieldType | undefined, isOff: boolean): string[] {
  const { fields: types, required } =
    type?.is === 'object' ? type : { fields: new Map<string, () => FieldType>(), required: [] };
  const missing = required.filter((name) => !fields.has(name));
  const lines = [...fields].flatMap(([name, node]) => nodeLines(name, node, types.get(name)?.(), isOff));
  return [...lines, ...missing.map((name) => `# ${name}: # open: the contract requires it`)];
}

function listLines({ each, items }: GuessedList, list: FieldType | undefined, isOff: boolean): string[] {
  const type = list?.is === 'list' ? list.items : undefined;
  const ordered = [...items].sort(([one], [other]) => one - other).map(([, item]) => item);
  if (each !== undefined)
    return [
      `each: ${each.source}`,
      ...(each.match === undefined
        ? []
        : [`match: ${scalar(each.match)} # guess: it has the key of ${each.source}`]),
      ...(each.by === undefined ? [] : [`by: ${scalar(each.by)} # guess: one item for each value`]),
      ...ordered.flatMap((item) => objectLines(item, type, isOff)),
    ];
  return ordered.flatMap((item) => {
    const lines = objectLines(item, type, isOff);
    if (!isOff && !isMapped(item)) return lines.map((line) => (line.startsWith('#') ? line : `# ${line}`));
    const first = lines.findIndex((line) => !line.startsWith('#'));
    // The mark of an item stands before its first line that is no comment.
    return lines.map((line, index) => (index === first ? `- ${line}` : `  ${line}`));
  });
}

function indent(line: string): string {
  return `  ${line}`;
}

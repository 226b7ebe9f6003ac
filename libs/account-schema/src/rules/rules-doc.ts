import { DORMANT_RULES, type DormantRule } from './dormant';
import { type Rule } from './engine/rule';
import { RULES } from './list';

const INTRODUCTION = `# Validation rules

Every rule that looks at more than the form of one field, in the order in which they are registered. This page is
generated from that list (\`libs/account-schema/src/rules\`); do not edit it, run
\`node dist/libs/account-schema/src/rules/write-rules-doc.js\` after a build.

- **path** is where a breach is reported. \`<i>\` and so on are positions, counted from zero; \`<transactions>\` stands
  for each list of transactions: of the account, of a ledger, or of a request.
- **profile**: \`core\` rules are applied always, \`gb-energy\` ones under that profile only, because they are about
  the British market or demand something (completeness) that need not be there.
- **needs**: what a rule looks at besides the payload. A setting that was never set has a default that refuses
  nothing, and a list that was never configured is not checked.
- A rule that would use a value which is wrong in itself says nothing until the value is right.
`;

/** The page about all rules, as Markdown. */
export function rulesDoc(
  rules: readonly Rule[] = RULES,
  dormant: readonly DormantRule[] = DORMANT_RULES,
): string {
  return [
    INTRODUCTION,
    `There are ${rules.length} rules, and ${dormant.length} dormant ones.\n`,
    table(['code', 'path', 'profile', 'needs', 'why'], rules.map(rowOf)),
    '## Checked elsewhere\n',
    'These stand in the list to be found there. Their check is part of reading a field, or of a use case.\n',
    table(['code', 'where'], rules.flatMap(elsewhere)),
    '## Dormant\n',
    'Rules of the catalogue about fields that the contract does not have. They are left out until it does.\n',
    table(
      ['code', 'what the contract lacks'],
      dormant.map(({ code, lacks }) => [`\`${code}\``, lacks]),
    ),
  ].join('\n');
}

function rowOf({ code, path, tier, completeness, needs, why }: Rule): string[] {
  const british = tier === 'gbr' ? 'gb-energy' : 'core';
  return [
    `\`${code}\``,
    path
      .split(' | ')
      .map((one) => `\`${one}\``)
      .join(' or '),
    completeness ? 'gb-energy (completeness)' : british,
    needs.join(', '),
    why,
  ];
}

function elsewhere(one: Rule): string[][] {
  const code = `\`${one.code}\``;
  switch (one.by) {
    case 'field':
      return [
        [
          code,
          one.answeredAs
            ? `the field's own check, which comes first and answers \`${one.answeredAs}\``
            : "the field's own format",
        ],
      ];
    case 'use case':
      return [[code, one.evaluatedBy]];
    case 'lookup':
      return [[code, 'the database, when the account is checked against what is stored']];
    case 'payload':
      return [];
  }
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, i) =>
    Math.max(title.length, ...rows.map((row) => escaped(row[i] ?? '').length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => escaped(cell).padEnd(widths[i] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return `${[line(head), rule, ...rows.map(line)].join('\n')}\n`;
}

function escaped(cell: string): string {
  return cell.replaceAll('|', '\\|');
}

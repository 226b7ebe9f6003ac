import { DORMANT_RULES } from './dormant';
import { type Rule } from './engine/rule';
import { RULES, type Subject, SUBJECTS } from './list';

const INTRODUCTION = `# Validation rules

Every rule that looks at more than the form of one field, subject by subject. This page is generated from the list of
rules (\`libs/account-schema/src/rules\`); do not edit it, run
\`node dist/libs/account-schema/src/rules/write-rules-doc.js\` after a build.

Of each rule it says its code, the path that a breach is reported at, and why the rule is there.

- In paths, \`<i>\` and the like are positions, counted from zero; \`<transactions>\` stands for each list of
  transactions (of the account, of a ledger, or of a request), \`…\` for what depends on the object.
- A rule marked **gb-energy** is applied under that profile only, because it is about the British market; one marked
  **completeness** as well, because it demands something that need not be there. All others are always applied.
- _Needs_ names what a rule looks at besides the payload. A setting that was never set has a default that refuses
  nothing, and a list that was never configured is not checked.
- A rule that would use a value which is wrong in itself says nothing until that value is right.
`;

/** The page about all rules, as Markdown. */
export function rulesDoc(): string {
  return [
    INTRODUCTION,
    `There are ${RULES.length} rules, and ${DORMANT_RULES.length} that are dormant.\n`,
    ...SUBJECTS.map(section),
    dormantSection(),
  ].join('\n');
}

function section({ title, rules }: Subject): string {
  return `## ${title}\n\n${rules.map(entry).join('')}`;
}

function entry(one: Rule): string {
  const paths = one.path.split(' | ').map((path) => `\`${path}\``);
  const marks = [one.tier === 'gbr' ? 'gb-energy' : '', one.completeness ? 'completeness' : ''].filter(
    Boolean,
  );
  const head = `- \`${one.code}\`${marks.map((mark) => ` **${mark}**`).join('')}`;
  const needs = one.needs.length > 0 ? ` _Needs ${one.needs.join(', ')}._` : '';
  return `${head}\n  at ${paths.join(', ')}:\n  ${one.why}${needs}${elsewhere(one)}\n`;
}

/** Rules that stand in the list to be found there, though their check is somewhere else. */
function elsewhere(one: Rule): string {
  switch (one.by) {
    case 'payload':
      return '';
    case 'field':
      return one.answeredAs
        ? ` Checked as the field is read, which answers \`${one.answeredAs}\`.`
        : ' Checked as the field is read.';
    case 'lookup':
      return ' Checked before the account is created.';
    case 'use case':
      return ` Answered by ${one.evaluatedBy}.`;
  }
}

function dormantSection(): string {
  const rules = DORMANT_RULES.map(({ code, lacks }) => `- \`${code}\`: ${lacks}\n`);
  return `## Dormant\n\nRules of the catalogue about what the contract does not have. They wait until it does.\n\n${rules.join('')}`;
}

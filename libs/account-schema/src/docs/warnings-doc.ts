import { ruleEntry } from './rules-doc';
import { MAX_WARNINGS } from '../warnings/find-warnings';
import { WARNING_SUBJECTS, WARNINGS } from '../warnings/list';

const INTRODUCTION = `# Warnings

Values of an account that are allowed, but implausible, by subject. This page is generated from the list of warnings
(\`libs/account-schema/src/warnings\`). Do not edit it: change the list, build, and run
\`node dist/libs/account-schema/src/docs/write-docs.js\`.

A warning refuses nothing. An account with warnings is imported as it was sent, and its supplier decides whether a value is
a mistake. [validation-rules.md](validation-rules.md) has the rules that refuse an account, and says how paths are written.

- A warning has a \`code\`, which does not change, the path of the value as \`attr\`, and a sentence as \`detail\` with the value
  and how to mend it. An account has at most ${MAX_WARNINGS}; others are left out.
- They are in the answer of \`POST /v2/data-import/accounts/validate/?warnings=true\`, and in the results of submissions, of
  rehearsals as of imports. Operators see them on the page of the import.
- Only valid accounts have them: an account with errors has warnings once these are corrected.
- Values that other accounts have as well are looked for when an account is imported, rehearsed or validated: among the
  imported accounts, and among those that a worker imports together with it. Supply points and mandates are those of the supplier. An e-mail
  address is counted for customers with a role, and a telephone number among those imported together only. The first nine accounts with a
  contact have no warning.
- All of them apply under every profile. None can be switched off.
- Codes of a list that the operator has not set up are not checked, which no account is warned of: \`unchecked_lists\` of the
  submission has the names of these lists, also of a rehearsal.
`;

/** The documentation of all warnings, as Markdown: the content of docs/warnings.md. */
export function warningsDoc(): string {
  return [
    INTRODUCTION,
    `There are ${WARNINGS.length} warnings.\n`,
    ...WARNING_SUBJECTS.map(
      ({ title, rules }) =>
        `## ${title}\n\n${rules.map((one) => `${ruleEntry(one, false)}  If it is a mistake, ${one.mend}\n`).join('')}`,
    ),
  ].join('\n');
}

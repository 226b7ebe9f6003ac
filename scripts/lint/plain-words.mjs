/**
 * Lint rule: refuses words that make a sentence hard to read, in comments and test titles. pages.mjs refuses them in
 * Markdown pages. docs/glossary.md lists the project's own terms; CONTRIBUTING.md says how sentences are written.
 */

/** Each refused word or phrase, and the advice that the message gives. */
const REFUSED = [
  [/\b(nobody|somebody|anybody|whoever|whomever)\b/i, 'name the subject: the client, the worker, the caller'],
  [/\blest\b/i, "write 'so that ... not'"],
  [/\bwhat is in the way\b/i, "write 'reason for the missed goal'"],
  [/\bfor (it|they|there) (is|are|was|were|has|have)\b/i, "write 'because'"],
  [/\b(strewn|dribs|hearken|thereof|therein|whence|hitherto)\b/i, 'use a plain word'],
  [/\bfalls? apart\b/i, "write 'is retried item by item'"],
  [/\bgoes alone\b/i, "write 'is sent in a batch of its own'"],
  [/\bin dribs and drabs\b/i, "write 'one by one'"],
  [/\bstands? against\b/i, "write 'conflicts with' or 'prevents'"],
  [/\bpatience\b/i, "write 'timeout'"],
  [/\bon (their|its) way\b/i, "write 'in flight'"],
  [/\bunder way\b/i, "write 'in progress'"],
  [/\bset(s)? out together\b/i, "write 'start together'"],
  [/\bwaits for nobody\b/i, "write 'starts at once'"],
];

/** The refused words of a text, each with its advice. Text in backticks is code: a system user may be called `nobody`. */
export function refusedWords(text) {
  const prose = text.replace(/`[^`]*`/g, '');
  return REFUSED.flatMap(([pattern, advice]) => {
    const found = pattern.exec(prose);
    return found ? [{ word: found[0], advice }] : [];
  });
}

const TEST_FUNCTIONS = new Set(['describe', 'it', 'test']);

/** The function name of `it(...)`, `it.each(...)(...)`, `describe.skip(...)`. */
function calledName(callee) {
  if (callee.type === 'Identifier') return callee.name;
  if (callee.type === 'MemberExpression') return calledName(callee.object);
  if (callee.type === 'CallExpression' || callee.type === 'TaggedTemplateExpression')
    return calledName(callee.callee ?? callee.tag);
  return undefined;
}

export const plainWords = {
  meta: {
    type: 'suggestion',
    docs: { description: 'Refuse words that make comments, test titles and documentation hard to read.' },
    schema: [],
    messages: { refused: "'{{word}}' is not plain: {{advice}}." },
  },
  create(context) {
    const check = (text, loc) => {
      for (const data of refusedWords(text)) context.report({ loc, messageId: 'refused', data });
    };
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments()) check(comment.value, comment.loc);
      },
      CallExpression({ callee, arguments: [title] }) {
        if (!title || !TEST_FUNCTIONS.has(calledName(callee))) return;
        if (title.type === 'Literal') check(String(title.value), title.loc);
        if (title.type === 'TemplateLiteral')
          check(title.quasis.map(({ value }) => value.raw).join(' '), title.loc);
      },
    };
  },
};

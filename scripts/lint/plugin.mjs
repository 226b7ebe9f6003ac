/** The rules of Portage for the linter, which .oxlintrc.json turns on. */

/** A rule that refuses what a selector of syntax finds. */
const forbid = (selector, message) => ({
  meta: { type: 'problem', docs: { description: message }, schema: [] },
  create: (context) => ({ [selector]: (node) => context.report({ node, message }) }),
});

/** An array of one or two branches that a line writes out. */
const LITERAL_SPREAD =
  ":not([argument.type='ArrayExpression'], [argument.consequent.type='ArrayExpression'][argument.alternate.type='ArrayExpression'])";

export default {
  meta: { name: 'portage' },
  rules: {
    'no-environment': forbid(
      "MemberExpression[object.name='process'][property.name='env']",
      'Only libs/platform/src/config reads the environment; inject the config instead.',
    ),
    'no-unbounded-spread': forbid(
      [
        `CallExpression[callee.property.name=/^(push|unshift|splice|concat)$/] > SpreadElement.arguments${LITERAL_SPREAD}`,
        `CallExpression[callee.object.name=/^(Math|String)$/] > SpreadElement.arguments${LITERAL_SPREAD}`,
      ].join(', '),
      'A spread of many members exceeds the call stack. Loop, or disable the rule for the line with the bound as reason.',
    ),
    'print-through-module': forbid(
      "CallExpression[callee.property.name='write'][callee.object.object.name='process']",
      'Print through the module that escapes control characters.',
    ),
  },
};

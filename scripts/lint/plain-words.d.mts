import type { Rule } from 'eslint';

declare const plugin: { rules: Record<'plain-words', Rule.RuleModule> };
export default plugin;

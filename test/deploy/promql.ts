import { parser } from '@prometheus-io/lezer-promql';

type SyntaxNode = ReturnType<typeof parser.parse>['topNode'];

interface Selector {
  metric: string;
  /** The label matchers: label and compared value. */
  matchers: { label: string; value: string }[];
}

export interface Query {
  selectors: Selector[];
  /** The labels by which results are grouped. */
  groupings: string[];
}

/** Parses a PromQL expression. @throws Error if it is invalid */
export function parseQuery(expression: string): Query {
  const textOf = ({ from, to }: SyntaxNode) => expression.slice(from, to);
  const query: Query = { selectors: [], groupings: [] };
  parser.parse(expression).iterate({
    enter: ({ node, type }) => {
      if (type.isError) throw new Error(`Not PromQL at "${expression.slice(node.from)}": ${expression}`);
      if (node.name === 'GroupingLabels') query.groupings.push(...node.getChildren('LabelName').map(textOf));
      if (node.name !== 'VectorSelector') return;
      const matchers = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
      query.selectors.push({
        metric: textOf(node.getChild('Identifier')!),
        matchers: matchers.map((matcher) => ({
          label: textOf(matcher.getChild('LabelName')!),
          value: textOf(matcher.getChild('StringLiteral')!).slice(1, -1),
        })),
      });
    },
  });
  return query;
}

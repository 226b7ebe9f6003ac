import { IMPORT_PROCESS_STATUSES } from '../../libs/imports/src/processes/status';
import { type Document, documents, text, yaml } from './deployment';
import { exposedMetrics, TARGET_LABELS } from './exposed-metrics';
import { parseQuery } from './promql';

interface Panel {
  id: number;
  type: string;
  title: string;
  targets?: { expr: string; legendFormat: string }[];
}

const dashboard = JSON.parse(text('deploy/grafana/portage.json')) as {
  panels: Panel[];
  templating: Document;
};
const panels = dashboard.panels.filter(({ type }) => type !== 'row');
const rules: { alert: string; expr: string; annotations: Record<string, string> }[] = yaml(
  'deploy/prometheus/alerts.yml',
).groups.flatMap((group: Document) => group.rules);
const [scaledObject] = documents(text('deploy/k8s/components/worker-keda/scaled-object.yaml'));

/** Replaces Grafana's variable as for "All". */
const withoutVariables = (expression: string) => expression.replaceAll('$supplier', '.*');

const queries = [
  ...rules.map(({ alert, expr }) => [`alert ${alert}`, expr] as const),
  ...panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => [`panel ${title}`, withoutVariables(expr)] as const),
  ),
  ...(scaledObject.spec.triggers as Document[]).map(
    ({ metadata }) => ['the autoscaler', metadata.query as string] as const,
  ),
];

const known = exposedMetrics();

describe('dashboard, alerts and autoscaler', () => {
  it.each(queries)('%s uses existing metrics and labels: %s', (_case, expression) => {
    const { selectors, groupings } = parseQuery(expression);
    expect(selectors.length).toBeGreaterThan(0);
    expect(selectors.filter(({ metric }) => !known.has(metric)).map(({ metric }) => metric)).toEqual([]);
    for (const { metric, matchers } of selectors) {
      const labels = [...known.get(metric)!, ...TARGET_LABELS];
      expect([metric, matchers.filter(({ label }) => !labels.includes(label))]).toEqual([metric, []]);
    }
    const all = selectors.flatMap(({ metric }) => [...known.get(metric)!, ...TARGET_LABELS]);
    expect(groupings.filter((label) => !all.includes(label))).toEqual([]);
  });

  it('use every metric of Portage', () => {
    const used = new Set(queries.flatMap(([, one]) => parseQuery(one).selectors.map(({ metric }) => metric)));
    const families = new Set([...used].map((name) => name.replace(/_(bucket|sum|count)$/, '')));
    const ours = [...known.keys()].map((name) => name.replace(/_(bucket|sum|count)$/, ''));
    expect(ours.filter((name) => name.startsWith('portage_') && !families.has(name))).toEqual([]);
  });

  it('name scrape jobs of the Prometheus configuration and statuses of processes', () => {
    const jobs: string[] = yaml('deploy/prometheus/scrape.yml').scrape_configs.map(
      (one: Document) => one.job_name,
    );
    const values = (label: string, of: RegExp) =>
      queries.flatMap(([, one]) =>
        parseQuery(one)
          .selectors.filter(({ metric }) => of.test(metric))
          .flatMap(({ matchers }) => matchers.filter((matcher) => matcher.label === label))
          .map(({ value }) => value),
      );
    const plain = (value: string) => /^[\w|-]+$/.test(value);
    expect(new Set(values('job', /^up$/).filter(plain))).toEqual(new Set(jobs));
    const statuses = values('status', /^portage_import_processes$/).flatMap((value) => value.split('|'));
    expect(statuses.length).toBeGreaterThan(3);
    expect(
      statuses.filter((status) => !(IMPORT_PROCESS_STATUSES as readonly string[]).includes(status)),
    ).toEqual([]);
  });

  it('use in annotations only labels of the result', () => {
    for (const { alert, expr, annotations } of rules) {
      const { groupings, selectors } = parseQuery(expr);
      const resultLabels =
        groupings.length > 0 ? groupings : selectors.flatMap(({ metric }) => [...known.get(metric)!]);
      const usedLabels = [...annotations['summary']!.matchAll(/\$labels\.(\w+)/g)].map((match) => match[1]!);
      const unknownLabels = usedLabels.filter(
        (label) => !resultLabels.includes(label) && !TARGET_LABELS.includes(label),
      );
      expect([alert, unknownLabels]).toEqual([alert, []]);
    }
  });

  it('reach the Prometheus operator as they are', () => {
    const file = 'deploy/k8s/components/prometheus-operator/prometheus-rule.yaml';
    const written = text('deploy/prometheus/alerts.yml')
      .replace(/^#.*\n/gm, '')
      .replace(/^(?=.)/gm, '  ');
    // The first lines of the file have the command that writes it.
    expect(text(file).split('spec:\n')[1]).toBe(written);
    expect(documents(text(file))[0].spec).toEqual(yaml('deploy/prometheus/alerts.yml'));
  });

  it('link each alert to its instructions', () => {
    for (const { alert, annotations } of rules) {
      const [, page, anchor] = /^https:\/\/portage-docs\.example\.com\/([\w-]+\.md)#(\w+)$/.exec(
        annotations['runbook_url'] ?? '',
      ) ?? [alert];
      const anchors = [...text(`docs/${page}`).matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
        title?.toLowerCase(),
      );
      expect([alert, anchors.includes(anchor), anchor]).toEqual([alert, true, alert.toLowerCase()]);
    }
  });

  it('have unique names', () => {
    for (const names of [rules.map(({ alert }) => alert), dashboard.panels.map(({ id }) => String(id))])
      expect(new Set(names).size).toBe(names.length);
  });
});

it('docs/operating.md has instructions for each alert and for no others', () => {
  const titles = [...text('docs/operating.md').matchAll(/^### (Portage\w+)$/gm)].map((match) => match[1]!);
  expect(titles.sort()).toEqual(rules.map(({ alert }) => alert).sort());
});

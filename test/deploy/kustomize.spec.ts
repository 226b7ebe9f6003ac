import { loadConfig } from '../../libs/platform/src/config/config';
import { announceSkipped, MISSING } from '@portage/testing/announce-skipped';
import { type Document, text, unknownVariables } from './deployment';
import { schemaFaults } from './kubernetes-schemas';
import {
  componentNames,
  environmentOf,
  findBuilder,
  kustomizations,
  OVERLAYS,
  partOf,
  Renderings,
} from './kustomization';

/** Of these a cluster has one. */
const AUTOSCALERS = ['worker-keda', 'worker-hpa'];
/** Changes what other components add. */
const LAST = 'egress-managed';

const builder = findBuilder();
if (!builder) announceSkipped('what Kustomize builds of the manifests', MISSING.kubectl);
const describeIfBuilt = builder ? describe : describe.skip;

const components = componentNames();
const inOrder = (names: readonly string[]) => [
  ...names.filter((name) => name !== LAST),
  ...names.filter((name) => name === LAST),
];

/**
 * Sets of components: none, each alone, all, and for each two components one set with both, one with only the first and one
 * with only the second. Components can only conflict by the objects that they change, two at a time.
 */
function combinations(): string[][] {
  const bits = Math.ceil(Math.log2(components.length));
  const byNumber = Array.from({ length: bits }, (_, bit) => [
    components.filter((_name, index) => (index >> bit) & 1),
    components.filter((_name, index) => !((index >> bit) & 1)),
  ]).flat();
  const withOneAutoscaler = [components, ...byNumber].flatMap((names) =>
    AUTOSCALERS.every((name) => names.includes(name))
      ? AUTOSCALERS.map((left) => names.filter((name) => name !== left))
      : [names],
  );
  return [[], ...components.map((name) => [name]), ...withOneAutoscaler].map(inOrder);
}

const find = (objects: Document[], kind: string): Document[] => objects.filter((one) => one.kind === kind);
const podOf = (workload: Document): Document => workload.spec.template.spec;
const workloadsOf = (objects: Document[]) => [...find(objects, 'Deployment'), ...find(objects, 'Job')];

/** What is wrong with the built objects, apart from their schemas. */
function inconsistencies(objects: Document[]): string[] {
  const faults: string[] = [];
  const keys = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  for (const key of keys)
    if (keys.indexOf(key) !== keys.lastIndexOf(key)) faults.push(`${key} is there twice`);
  for (const { kind, metadata } of objects)
    if (kind !== 'Namespace' && metadata.namespace !== 'portage')
      faults.push(`${metadata.name} has no namespace`);
  const [settings] = find(objects, 'ConfigMap');
  const accounts = find(objects, 'ServiceAccount').map(({ metadata }) => metadata.name);
  for (const workload of workloadsOf(objects)) {
    const { name } = workload.metadata;
    const { containers, volumes = [], serviceAccountName } = podOf(workload);
    const [container] = containers;
    for (const { configMapRef } of container.envFrom ?? [])
      if (configMapRef.name !== settings.metadata.name) faults.push(`${name} has other settings`);
    const mounted = (container.volumeMounts ?? []).map((mount: Document) => mount.name);
    for (const volume of mounted)
      if (!volumes.some((one: Document) => one.name === volume)) faults.push(`${name} has no ${volume}`);
    if (serviceAccountName && !accounts.includes(serviceAccountName))
      faults.push(`${name} has no service account`);
    const variables = [
      ...(container.env as Document[]).map((one) => one.name),
      ...Object.keys(settings.data),
    ];
    faults.push(...unknownVariables(variables).map((one) => `${name} has the unknown ${one}`));
    faults.push(...configFaults(workload, settings.data));
    const scalers = objects.filter(({ spec }) => spec?.scaleTargetRef?.name === name);
    if (scalers.length > 0 && workload.spec.replicas !== undefined)
      faults.push(`${name} has replicas beside an autoscaler`);
  }
  const published = settings.data.PUBLIC_HOSTS.split(',');
  for (const { spec } of find(objects, 'Ingress'))
    for (const host of [...spec.rules.map((rule: Document) => rule.host), ...spec.tls[0].hosts])
      if (!published.includes(host)) faults.push(`${host} is not in PUBLIC_HOSTS`);
  for (const { metadata, spec } of find(objects, 'NetworkPolicy'))
    for (const { ipBlock } of ((spec.egress ?? []) as Document[]).flatMap(({ to }) => to as Document[]))
      if (ipBlock?.cidr === '0.0.0.0/0' && !ipBlock.except.includes('169.254.0.0/16'))
        faults.push(`${metadata.name} allows the metadata service`);
  return faults;
}

/** The message with which a program refuses its settings, with all secrets. */
function configFaults(workload: Document, settings: Record<string, string>): string[] {
  try {
    loadConfig(partOf(workload), environmentOf(workload, settings, 'all'));
    return [];
  } catch (error) {
    return [`${workload.metadata.name}: ${(error as Error).message}`];
  }
}

describeIfBuilt('the manifests that Kustomize builds', () => {
  let renderings: Renderings;
  /** Every object that the overlays have with all components. */
  const whole: Document[] = [];

  beforeAll(async () => {
    renderings = new Renderings(builder!);
    for (const scaler of AUTOSCALERS)
      whole.push(
        ...(await renderings.render(OVERLAYS[0]!, inOrder(components.filter((name) => name !== scaler)))),
      );
  });

  it.each(OVERLAYS)('are those of %s with the components that it names', async (overlay) => {
    const { content } = kustomizations().find(({ directory }) => directory === overlay)!;
    const named = (content.components as string[]).map((path) => path.replace('../../components/', ''));
    expect(named).toEqual(inOrder(named));
    const objects = await renderings.render(overlay, named);
    expect(objects.flatMap(schemaFaults)).toEqual([]);
    expect(inconsistencies(objects)).toEqual([]);
    for (const workload of workloadsOf(objects))
      expect(podOf(workload).containers[0].image).toMatch(/^registry\.example\.com\/portage:\d/);
    // In every overlay the age of what waits decides how many workers there are.
    const [scaled] = find(objects, 'ScaledObject');
    expect(scaled.spec.triggers[0].metadata.query).toContain('portage_queue_oldest_waiting_seconds');
    expect(scaled.spec.minReplicaCount).toBeLessThan(scaled.spec.maxReplicaCount);
  });

  it('are valid and consistent with each combination of components, in one overlay or the other', async () => {
    const sets = combinations();
    expect(sets.length).toBeGreaterThan(2 * components.length - 10);
    for (const [first, second] of components.flatMap((one) => components.map((two) => [one, two]))) {
      if (first === second) continue;
      const has = (name: string | undefined, names: string[]) => names.includes(name!);
      if (!AUTOSCALERS.includes(first!) || !AUTOSCALERS.includes(second!))
        expect(sets.some((names) => has(first, names) && has(second, names))).toBe(true);
      expect(sets.some((names) => has(first, names) && !has(second, names))).toBe(true);
    }
    const faults: unknown[] = [];
    const rest = [...sets];
    const work = async () => {
      for (let names = rest.pop(); names; names = rest.pop()) {
        const objects = await renderings.render(OVERLAYS[rest.length % OVERLAYS.length]!, names);
        const found = [...objects.flatMap(schemaFaults), ...inconsistencies(objects)];
        if (found.length > 0) faults.push([names, found]);
      }
    };
    await Promise.all([work(), work()]);
    expect(faults).toEqual([]);
  });

  it('show the combinations that do not work', async () => {
    await expect(renderings.render(OVERLAYS[0]!, AUTOSCALERS)).rejects.toThrow('replicas');
  });

  it('have each setting that a cluster needs', () => {
    const given = new Set(
      workloadsOf(whole).flatMap((workload) =>
        (podOf(workload).containers[0].env as Document[]).map(({ name }) => name as string),
      ),
    );
    for (const { data } of find(whole, 'ConfigMap')) for (const name of Object.keys(data)) given.add(name);
    /** Settings without a default, or with one for a single machine, that no cluster needs. */
    const unneeded = {
      PORTAGE_DIR: 'has what is generated outside production',
      PORTAGE_OPERATOR: 'is given with a command',
      GRAPHQL_INTROSPECTION: 'is off in production',
      WEBHOOK_ALLOWED_NETWORKS: 'is empty unless receivers are in private networks',
    };
    const needed = [...text('.env.example').matchAll(/^#([A-Z_0-9]+)=(.*)$/gm)]
      .filter(([, , preset]) => preset === '' || /^(development|\.portage|127\.|.*localhost)/.test(preset!))
      .map(([, name]) => name!);
    expect(needed.length).toBeGreaterThan(20);
    expect(needed.filter((name) => !given.has(name))).toEqual(Object.keys(unneeded));
  });

  it('spread the pods of a release over zones and nodes', () => {
    for (const workload of find(whole, 'Deployment'))
      expect(
        podOf(workload).topologySpreadConstraints.map((one: Document) => [
          one.topologyKey,
          one.labelSelector,
        ]),
      ).toEqual(
        ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'].map((key) => [key, workload.spec.selector]),
      );
  });

  it('give every program the registry login and the authorities, and the role to those that read documents', () => {
    const pods = workloadsOf(whole).map(podOf);
    expect(pods.length).toBeGreaterThan(5);
    for (const pod of pods) {
      const [{ env, volumeMounts }] = pod.containers;
      expect(pod.imagePullSecrets).toEqual([{ name: 'portage-registry' }]);
      const { value } = env.find((one: Document) => one.name === 'NODE_EXTRA_CA_CERTS');
      const { mountPath } = volumeMounts.find((one: Document) => one.name === 'ca');
      expect(value).toBe(`${mountPath}/ca.pem`);
    }
    const [settings] = find(whole, 'ConfigMap');
    for (const workload of find(whole, 'Deployment')) {
      const { mountPath } = podOf(workload).containers[0].volumeMounts.find(
        (one: Document) => one.name === 'aws-token',
      );
      expect(settings.data.AWS_WEB_IDENTITY_TOKEN_FILE).toBe(`${mountPath}/token`);
    }
    for (const job of find(whole, 'Job')) expect(podOf(job).serviceAccountName).toBeUndefined();
  });

  it('let Prometheus scrape both services by their names, with the token of the Secret', () => {
    const [monitor] = find(whole, 'ServiceMonitor');
    const scraped = find(whole, 'Service').filter(({ metadata }) =>
      Object.entries(monitor.spec.selector.matchLabels).every(
        ([name, value]) => metadata.labels[name] === value,
      ),
    );
    expect([...new Set(scraped.map(({ metadata }) => metadata.name))].sort()).toEqual([
      'portage-api',
      'portage-worker',
    ]);
    const [endpoint] = monitor.spec.endpoints;
    for (const { spec } of scraped) expect(spec.ports[0].name).toBe(endpoint.port);
    expect(endpoint.authorization.credentials).toEqual({ name: 'portage-secrets', key: 'METRICS_TOKEN' });
  });
});

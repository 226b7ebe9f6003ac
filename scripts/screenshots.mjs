// npm run screenshots: renews the pictures in docs/images, or those named after `--`, such as `importer-plan`. Starts
// `npm start` on data of its own, which imports the sample book, and takes pictures of the console in light and dark, and
// of the plan that the importer prints for a book that is sent again, a preview and a profile of examples/mapping.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { prepare, root } from './prepare.mjs';

const PASSWORD = 'a password for pictures';
const MAX_BYTES = 200_000;
const START_MS = 300_000;
const images = join(root, 'docs', 'images');
const wanted = process.argv.slice(2);

const isWanted = (name) => wanted.length === 0 || wanted.includes(name);

/** Runs `npm start` until it has printed the address of the console and the one-time password. */
async function start(directory) {
  const child = spawn('npm', ['start'], {
    cwd: root,
    env: { ...process.env, PORTAGE_DIR: directory },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  const deadline = setTimeout(() => child.kill(), START_MS);
  for await (const chunk of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    output += chunk;
    const found = /Console\s+(\S+)\/console\/\s+operator (\S+), one-time password ([\w-]+)/.exec(output);
    if (!found || !output.includes('Ctrl-C')) continue;
    clearTimeout(deadline);
    child.stdout.resume();
    return { child, baseUrl: found[1], name: found[2], oneTimePassword: found[3] };
  }
  throw new Error(`npm start has ended before the console was ready:\n${output}`);
}

async function signIn(page, { baseUrl, name, oneTimePassword }) {
  await page.goto(`${baseUrl}/console/`);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(oneTimePassword);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByLabel('One-time password').fill(oneTimePassword);
  await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('New password again').fill(PASSWORD);
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
}

/** The pages, each with the steps that lead to it. */
const pages = {
  overview: async (page, base) => page.goto(`${base}/console/`),
  supplier: async (page, base) => page.goto(`${base}/console/suppliers/DEMO`),
  processes: async (page, base) => page.goto(`${base}/console/suppliers/DEMO/processes`),
  process: async (page, base) => {
    await page.goto(`${base}/console/suppliers/DEMO/processes`);
    await page.locator('tbody th a').first().click();
  },
  submission: async (page, base) => {
    await page.goto(`${base}/console/suppliers/DEMO/submissions`);
    await page.locator('tbody th a').first().click();
  },
  queues: async (page, base) => page.goto(`${base}/console/queues`),
};

/** Fewer colours make a picture of a page several times smaller. Without pngquant the picture stays as it is. */
function optimise(file) {
  spawnSync('pngquant', ['--force', '--skip-if-larger', '--output', file, '128', file]);
  const { size } = statSync(file);
  if (size > MAX_BYTES) throw new Error(`${file} has ${size} bytes, more than ${MAX_BYTES}.`);
}

async function takePictures(browser, portage) {
  const context = await browser.newContext({
    viewport: { width: 1_280, height: 800 },
    timezoneId: 'Europe/London',
    locale: 'en-GB',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await signIn(page, portage);
  for (const scheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme: scheme });
    for (const [name, open] of Object.entries(pages)) {
      if (!isWanted(`console-${name}`)) continue;
      await open(page, portage.baseUrl);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('.loading').first().waitFor({ state: 'detached' });
      await page.getByText('Live', { exact: true }).waitFor();
      // Fonts are drawn after the data has arrived.
      await page.waitForTimeout(800);
      const file = join(images, `console-${name}-${scheme}.png`);
      await page.screenshot({ path: file });
      optimise(file);
      process.stdout.write(`${file}\n`);
    }
  }
}

/**
 * The sample book with 4 other customers' names, 3 other telephone numbers and 2 new accounts. What it refuses on purpose
 * is refused again.
 */
function writeChangedBook(file) {
  const accounts = readFileSync(join(root, 'examples', 'book.ndjson'), 'utf8')
    .trim()
    .split('\n');
  let [names, telephones] = [0, 0];
  const changed = accounts.map((line) => {
    if (names < 4 && line.includes('"family_name":')) {
      names += 1;
      return line.replace(/"family_name":"([^"]*)"/, '"family_name":"$1-Reed"');
    }
    if (telephones < 3 && line.includes('"mobile":"+44')) {
      telephones += 1;
      return line.replace(/"mobile":"\+44[^"]*"/, `"mobile":"+44740012340${telephones}"`);
    }
    return line;
  });
  const added = ['DEMO-1-NEW-1', 'DEMO-1-NEW-2'].map((number) =>
    JSON.stringify({
      import_supplier: 'DEMO',
      external_account_number: number,
      customers: [{ given_name: 'Maeve', family_name: 'Aldous', landline: '01212345678' }],
    }),
  );
  writeFileSync(file, [...changed, ...added].join('\n'));
}

/** What the importer prints. */
function runImporter(options, { cwd, env = {} }) {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'dist', 'apps', 'importer', 'src', 'main.js'), ...options],
    { cwd, encoding: 'utf8', env: { ...process.env, ...env } },
  );
  return `${stderr}${stdout}`;
}

/** Takes a picture of what the importer prints, as a terminal shows it. */
async function takeTerminal(browser, name, options, output) {
  const page = await browser.newPage({ viewport: { width: 1_280, height: 800 } });
  await page.setContent('<pre></pre>');
  await page.locator('pre').evaluate(
    (element, text) => {
      element.textContent = text;
      document.body.style.margin = '0';
      element.style.cssText =
        'margin: 0; padding: 24px; width: 1232px; background: #16181d; color: #e6e6e6; font: 14px/1.5 monospace; white-space: pre-wrap';
    },
    `$ npm run import-book -- ${options.join(' ')}\n${output}`,
  );
  const file = join(images, `${name}.png`);
  await page.locator('pre').screenshot({ path: file });
  optimise(file);
  process.stdout.write(`${file}\n`);
}

async function takePlan(browser, { baseUrl }, directory) {
  const book = join(directory, 'book.ndjson');
  writeChangedBook(book);
  const options = ['--file', 'book.ndjson', '--mode', 'create-or-correct', '--plan'];
  const key = readFileSync(join(directory, 'demo-api-key'), 'utf8').trim();
  const output = runImporter([...options, '--base-url', baseUrl], {
    cwd: directory,
    env: { PORTAGE_API_KEY: key },
  });
  await takeTerminal(browser, 'importer-plan', options, output);
}

/** One account of the example beside its rows. */
async function takePreview(browser) {
  const options = ['map', 'preview', '--mapping', 'mapping.yaml', '--row', '3'];
  const output = runImporter(options, { cwd: join(root, 'examples', 'mapping') });
  await takeTerminal(browser, 'importer-preview', options, output);
}

/** The page about the accounts of the example. */
async function takeProfile(browser, directory) {
  const html = join(directory, 'profile.html');
  runImporter(['profile', 'accounts.csv', '--html', html], { cwd: join(root, 'examples', 'mapping') });
  const page = await browser.newPage({ viewport: { width: 1_280, height: 760 } });
  await page.goto(pathToFileURL(html).href);
  const file = join(images, 'importer-profile.png');
  await page.screenshot({ path: file });
  optimise(file);
  process.stdout.write(`${file}\n`);
}

await prepare();
mkdirSync(images, { recursive: true });
const directory = mkdtempSync(join(tmpdir(), 'portage-screenshots-'));
const ofConsole = Object.keys(pages).some((name) => isWanted(`console-${name}`));
const portage = ofConsole || isWanted('importer-plan') ? await start(directory) : undefined;
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
});
try {
  if (isWanted('importer-preview')) await takePreview(browser);
  if (isWanted('importer-profile')) await takeProfile(browser, directory);
  if (isWanted('importer-plan')) await takePlan(browser, portage, directory);
  if (ofConsole) {
    // The charts of an hour have whole minutes.
    await new Promise((resolve) => setTimeout(resolve, 70_000));
    await takePictures(browser, portage);
  }
} finally {
  await browser.close();
  if (portage) {
    const ended = once(portage.child, 'exit');
    portage.child.kill('SIGINT');
    await ended;
  }
  rmSync(directory, { recursive: true, force: true });
}

// npm run screenshots: renews the pictures of the console in docs/images. Starts `npm start` on data of its own, which
// imports the sample book, and takes them with Chromium in light and dark.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { prepare, root } from './prepare.mjs';

const PASSWORD = 'a password for pictures';
const MAX_BYTES = 200_000;
const START_MS = 300_000;
const images = join(root, 'docs', 'images');

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
      await open(page, portage.baseUrl);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('.loading').first().waitFor({ state: 'detached' });
      await page.getByText('Live', { exact: true }).waitFor();
      // Fonts and charts are drawn after their data has arrived.
      await page.waitForTimeout(800);
      const file = join(images, `console-${name}-${scheme}.png`);
      await page.screenshot({ path: file });
      optimise(file);
      process.stdout.write(`${file}\n`);
    }
  }
}

await prepare();
mkdirSync(images, { recursive: true });
const directory = mkdtempSync(join(tmpdir(), 'portage-screenshots-'));
const portage = await start(directory);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
});
try {
  // The counts of suppliers are renewed each minute.
  await new Promise((resolve) => setTimeout(resolve, 70_000));
  await takePictures(browser, portage);
} finally {
  await browser.close();
  const ended = once(portage.child, 'exit');
  portage.child.kill('SIGINT');
  await ended;
  rmSync(directory, { recursive: true, force: true });
}

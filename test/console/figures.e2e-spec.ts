import {
  testedBackends,
  Installation,
  logIn,
  sendBook,
  storeErrored,
  storeOperator,
  until,
} from '@portage/testing';
import { type Browser, chromium } from 'playwright-core';
import { ConsoleBrowser } from './console-browser';
import { SHOWN_FIGURES } from './in-page';

/** What the console promises while its label says Live. */
const MAX_AGE_MS = 2_000;
/** What a busy machine may add. */
const LOAD_MS = 4_000;
/** Rates are those of the last ten seconds, which begin at a whole second. */
const RATE_SECONDS = 11;

const endpoint = process.env['PORTAGE_TEST_BROWSER'];

/** Counts of the tables, at one moment. */
interface Stored {
  received: number;
  processed: number;
  errored: number;
  pending: number;
  inProgress: number;
  ofSubmission: number;
}

type Shown = Readonly<Record<string, string>>;

const STORED = `
  SELECT count(*)::int AS received, count(*) FILTER (WHERE status = 'PROCESSED')::int AS processed,
    count(*) FILTER (WHERE status IN ('ERRORED', 'DRY_RUN_ERRORED'))::int AS errored,
    count(*) FILTER (WHERE status = 'PENDING')::int AS pending,
    count(*) FILTER (WHERE status = 'IN_PROGRESS')::int AS "inProgress",
    count(*) FILTER (WHERE submission_id = $1)::int AS "ofSubmission"
  FROM import_process`;

const countOf = (text: string | undefined): number => Number((text ?? '0').replaceAll(',', ''));

/** Every figure of the pages that only grows while accounts are imported, with the count that it is. */
const GROWING: readonly (readonly [
  page: 'overview' | 'supplier' | 'submission',
  name: string,
  keyof Stored,
])[] = [
  ['overview', 'Processed', 'processed'],
  ['overview', 'Errors', 'errored'],
  ['overview', 'Suppliers/Processed', 'processed'],
  ['supplier', 'Errors', 'errored'],
  ['supplier', 'States of accounts/Processed', 'processed'],
  ['supplier', 'Funnel/Received', 'received'],
  ['supplier', 'Funnel/Created', 'processed'],
  ['submission', 'Received', 'ofSubmission'],
];

/** The figures that also fall. */
const MOVING: typeof GROWING = [
  ['overview', 'Suppliers/Pending', 'pending'],
  ['supplier', 'States of accounts/Pending', 'pending'],
  ['supplier', 'States of accounts/In progress', 'inProgress'],
];

(endpoint ? describe : describe.skip).each(testedBackends())(
  'figures of the console, queue in %s',
  (backend) => {
    const installation = Installation.use({ backend });
    const windows = {} as Record<'overview' | 'supplier' | 'submission' | 'queues', ConsoleBrowser>;
    let browser: Browser;
    let submission: string;
    let sent = 0;

    beforeAll(async () => {
      browser = await chromium.connect(endpoint!);
      // No figure may depend on the maintenance.
      expect(await installation.operator('queue', 'pause', 'maintenance')).toMatchObject({ paused: true });
      submission = await sendBook(installation, [installation.account('FIRST')], {
        reference: 'live',
        isComplete: false,
      });
      const { cookie } = (await logIn(installation, await storeOperator(installation, 'viewer'))).headers;
      const paths = {
        overview: '/',
        supplier: '/suppliers/LEGACY',
        submission: `/submissions/${submission}`,
        queues: '/queues',
      };
      for (const [name, path] of Object.entries(paths)) {
        const window = await ConsoleBrowser.open(browser, installation.baseUrl);
        windows[name as keyof typeof windows] = window;
        await window.useSession(cookie);
        await window.goto(path);
        await window.page.getByRole('status').getByText('Live', { exact: true }).waitFor();
        await window.settle();
      }
    });
    afterAll(async () => browser.close());

    const stored = async () => (await installation.sql<Stored>(STORED, [submission]))[0]!;
    const shown = async (page: keyof typeof windows) => windows[page].page.evaluate<Shown>(SHOWN_FIGURES);

    /** Sends some accounts alone and some in the submission. */
    async function send(count: number): Promise<void> {
      const lines = Array.from({ length: count }, () => installation.account(`L-${(sent += 1)}`));
      await Promise.all([
        ...Array.from({ length: count }, async () =>
          installation.schedule(installation.account(`S-${(sent += 1)}`)),
        ),
        installation.upload(submission, lines),
      ]);
    }

    /** Names of figures that are not what the tables have, on all pages. */
    async function differences(): Promise<string[]> {
      const counts = await stored();
      const found: string[] = [];
      for (const [page, name, kind] of [...GROWING, ...MOVING]) {
        const count = countOf((await shown(page))[name]);
        if (count !== counts[kind]) found.push(`${page} ${name}: ${count}, stored ${counts[kind]}`);
      }
      const [, waiting] = /([\d,]+) accounts/.exec(
        await windows.queues.page.locator('tbody').first().innerText(),
      )!;
      if (countOf(waiting) !== counts.pending) found.push(`queues: ${waiting}, stored ${counts.pending}`);
      return found;
    }

    const untilImported = async () =>
      until(async () => {
        const { pending, inProgress } = await stored();
        return pending + inProgress === 0;
      }, 'The accounts were not imported.');

    /** The pages have the figures of the tables. Only the page of queues is older, by the five seconds between its reads. */
    const untilExact = async () => {
      let last: string[] = [];
      await until(
        async () => (last = await differences()).length === 0,
        () => last.join('; '),
        5_000 + LOAD_MS,
      );
    };

    const untilShown = async (
      page: keyof typeof windows,
      name: string,
      value: string,
      milliseconds: number,
    ) => {
      let last: string | undefined;
      await until(
        async () => (last = (await shown(page))[name]) === value,
        () => `${page} ${name} is ${last}`,
        milliseconds,
      );
    };

    it('are at most two seconds behind the tables while accounts are imported, with the maintenance paused', async () => {
      await storeErrored(installation, ['E-1', 'E-2'], { code: 'reference_already_exists', detail: 'x' });
      const nothing = Object.fromEntries(
        Object.keys(await stored()).map((kind) => [kind, 0]),
      ) as unknown as Stored;
      const history = [{ at: performance.now(), counts: nothing }];
      const seen = new Set<string>();
      let oldest = 0;
      const end = performance.now() + 60_000;
      let hasRate = false;
      while (seen.size < 6 || !hasRate) {
        expect(performance.now()).toBeLessThan(end);
        await send(6);
        for (const page of ['overview', 'supplier', 'submission'] as const) {
          history.push({ at: performance.now(), counts: await stored() });
          const figures = await shown(page);
          const at = performance.now();
          const now = await stored();
          for (const [on, name, kind] of GROWING) {
            if (on !== page) continue;
            const count = countOf(figures[name]);
            expect([name, count <= now[kind]]).toEqual([name, true]);
            // The last moment at which the tables had no more than the page shows.
            const since = history.findLast((one) => one.counts[kind] <= count)!.at;
            oldest = Math.max(oldest, at - since);
          }
          if (page === 'overview') {
            const [ended] = await installation.sql<{ most: number }>(
              `SELECT count(*)::int AS most FROM import_process WHERE status = 'PROCESSED'
             AND account_created_at > now() - interval '${RATE_SECONDS + (MAX_AGE_MS + LOAD_MS) / 1_000} seconds'`,
            );
            const rate = Number(figures['Accounts a second']!.replace('< ', ''));
            expect(rate).toBeLessThanOrEqual(ended!.most / 10 + 0.1);
            hasRate ||= rate > 0;
            seen.add(figures['Processed']!);
          }
          if (page === 'supplier') {
            // All figures of a page are of one moment.
            const states = Object.entries(figures).filter(([name]) => name.startsWith('States of accounts/'));
            expect(states.reduce((sum, [, count]) => sum + countOf(count), 0)).toBe(
              countOf(figures['Funnel/Received']),
            );
          }
        }
      }
      process.stderr.write(
        `Figures were at most ${Math.round(oldest)} ms old, with the queue in ${backend}.\n`,
      );
      expect(oldest).toBeLessThan(MAX_AGE_MS + LOAD_MS);
    });

    it('are exact at rest, where no rate, no estimated end and no waiting account is shown', async () => {
      await untilImported();
      await untilExact();
      const errors = windows.supplier.page.getByRole('row', { name: /^reference_already_exists/ });
      expect((await errors.getByRole('cell').allInnerTexts()).slice(0, 3)).toEqual(['2', '0', '100%']);
      for (const page of ['overview', 'supplier', 'submission'] as const)
        await untilShown(page, 'Accounts a second', page === 'submission' ? '–' : '0', 20_000);
      expect(await shown('supplier')).toMatchObject({ 'Oldest waiting': 'none', 'Estimated end': '–' });
      expect(await shown('submission')).toMatchObject({ 'Estimated end': '–' });
    });

    it('are exact without a worker: accounts wait, the rate falls to 0, and nothing is estimated', async () => {
      await installation.kill(...installation.workers);
      await send(15);
      await untilExact();
      expect((await stored()).pending).toBe(30);
      expect((await shown('overview'))['Waiting']).toBe('30');
      const [due] = await installation.sql<{ at: string }>(
        `SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at
       FROM import_process WHERE status = 'PENDING' ORDER BY id LIMIT 1`,
      );
      const oldest = windows.supplier.page.locator('.figure', { hasText: 'Oldest waiting' }).locator('time');
      expect(await oldest.getAttribute('datetime')).toBe(due!.at);
      expect(await oldest.innerText()).toMatch(/^(now|.+ ago)$/);
      for (const page of ['overview', 'supplier', 'submission'] as const)
        await untilShown(page, 'Accounts a second', '0', 20_000);
      expect((await shown('supplier'))['Estimated end']).toBe('–');
      // A worker that was killed is alive for three reports. Its age stands beside it.
      await windows.overview.page
        .getByRole('region', { name: 'Health' })
        .getByText(/reported \d+ s ago/)
        .waitFor();
    });

    it('are exact again once the accounts were imported, and a submission that has ended has its mean', async () => {
      await installation.startWorker();
      await installation.send('POST', `/v2/data-import/submissions/${submission}/complete/`);
      const { page } = windows.submission;
      await page.locator('.page-title').getByText('Finished', { exact: true }).waitFor({ timeout: 60_000 });
      await untilImported();
      await untilExact();
      const [mean] = await installation.sql<{ rate: number }>(
        `SELECT (SELECT count(*) FROM import_process WHERE submission_id = submission.id)
         / extract(epoch FROM finished_at - created_at)::float8 AS rate FROM submission WHERE id = $1`,
        [submission],
      );
      const figures = await shown('submission');
      expect(Number(figures['Accounts a second']!.replace('< ', ''))).toBeCloseTo(mean!.rate, 0);
      expect(figures).toMatchObject({ Progress: '100%', 'Estimated end': '–' });
      expect(windows.overview.errors).toEqual([]);
    });
  },
);

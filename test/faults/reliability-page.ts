import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Outcome } from './test-faults';

const PAGE = join(__dirname, '..', '..', 'docs', 'reliability.md');
const QUEUE_IN = { postgres: 'PostgreSQL', redis: 'Redis' };

/** Writes docs/reliability.md with the measurements of this run. */
export function writeReliabilityPage(outcomes: readonly Outcome[]): void {
  const rows = outcomes.map(
    ({ fault, backend, injections, affectedCount, posted, lost, doubled, recoveryMs }) =>
      [
        fault.title,
        QUEUE_IN[backend],
        injections,
        `${affectedCount} ${fault.affected}`,
        posted,
        lost,
        doubled,
        `${(recoveryMs / 1_000).toFixed(1)} s`,
      ].join(' | '),
  );
  // The sections of other commands stay.
  const [, sections = ''] = /\n(## [^]*)/.exec(readFileSync(PAGE, 'utf8')) ?? [];
  writeFileSync(PAGE, sections === '' ? page(rows) : `${page(rows)}\n${sections}`);
}

const page = (rows: readonly string[]) => `# Reliability

Every account that was answered with 201, and every account of an uploaded file, is created exactly once, even if processes are killed, PostgreSQL is restarted, or Redis is lost or emptied meanwhile. This page is written by

\`\`\`
npm run test:faults
\`\`\`

in ${Math.round(performance.now() / 60_000)} minutes. \`npm test\` (with the queue in PostgreSQL) and \`npm run test:operations\` (in Redis) run some of these faults with fewer accounts and shorter waits. The faults are listed in \`test/faults/faults.ts\` and \`test/faults/upload-faults.ts\`.

| fault | queue in | times | affected | posted | lost | doubled | recovered after |
| --- | --- | --- | --- | --- | --- | --- | --- |
${rows.map((row) => `| ${row} |`).join('\n')}

Measured on ${new Date().toISOString().slice(0, 10)} with Node ${process.versions.node} on ${availableParallelism()} cores shared by API, worker, PostgreSQL, Redis and the client. All settings have their defaults. Recovery times depend on \`JOB_LOCK_MS\` (when jobs of a killed worker are given to another), \`SWEEP_AFTER_MS\` and \`SWEEP_INTERVAL_MS\` (when lost jobs are found). Redis has an append-only file with fsync every second.

A client with 32 connections posts a book of dual fuel accounts and repeats requests that broke off or were answered with 5xx. Each fault strikes in the middle of the posting, and the next one two seconds after recovery; Redis stays down for ten seconds. The last tenth of the book is posted after the last fault. A killed process is restarted at once, except the two of three workers.

In the rows with uploads one request sends the whole book to a submission. After each cut the client sends the whole file again, until an upload is answered with 200, and then completes the submission. Meanwhile its counts are read about twenty times a second, over HTTP and from the tables: at every reading as many lines were received as were refused or are in any state, and none has disappeared. At the end the uploads together have accepted each line once, every line of the results is processed, and the reconciliation shows no difference from the control totals that were stated in advance.

In the rows with webhooks an endpoint gets the events of the posted book, and the only worker is killed while a request to the receiver is in flight. The run fails unless every event was delivered, the first time in the order of the feed, and at most 100 deliveries were repeated for each kill.

The run also kills \`submission rollback\` three times in the middle and runs it again: every table of accounts is as it was before the submission.

The columns:

- **times**: faults that took effect. A killed process must have ended by the signal, PostgreSQL must have been restarted, Redis must have been emptied, and accepted accounts must have been unfinished at that moment.
- **affected**: work that the faults interrupted, in total. *Active jobs* are processes in the jobs that killed workers had; *accounts sent again* had to be posted more than once; *uploads sent again* were cut; *active accounts* are those of the batches that killed workers were importing; *accounts accepted meanwhile* got their 201 while Redis was down and were still PENDING; *jobs lost* were in Redis when it was emptied; *accounts refused* got 400 or ended ERRORED because the supplier was paused, and were posted again or retried with \`process retry\`. Zero fails the test.
- **posted**: accounts of the book. Each was answered with 201 in the end, or found imported after an earlier 201 was lost on the way; with uploads, each is in an upload that was answered with 200.
- **lost**: posted accounts without an account in the database.
- **doubled**: posted accounts with more than one account or more than one PROCESSED event.
- **recovered after**: from the end of the last fault, when the affected part answers again, to the last PROCESSED event, including the rest of the book.

SQL also checks that there is no unfinished process; no process without exactly one account, or with other numbers than the account has; no sequence of events that the states forbid; no violated foreign key; and no account whose number of rows in any table differs from equal accounts. At the end the run damages its database to show that each of these checks finds a violation.
`;

import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Outcome } from './test-faults';

const PAGE = join(__dirname, '..', '..', 'docs', 'reliability.md');
const QUEUE_IN = { postgres: 'PostgreSQL', redis: 'Redis' };

/** Writes docs/reliability.md from what has just been measured. */
export function writeReliabilityPage(outcomes: readonly Outcome[]): void {
  const rows = outcomes.map(({ fault, backend, strikes, struck, posted, lost, doubled, recoveryMs }) =>
    [
      ...[fault.title, QUEUE_IN[backend], strikes, `${struck} ${fault.struck}`, posted, lost, doubled],
      `${(recoveryMs / 1_000).toFixed(1)} s`,
    ].join(' | '),
  );
  writeFileSync(PAGE, page(rows));
}

const page = (rows: readonly string[]) => `# Reliability

What was answered with 201 becomes exactly one account, whatever is killed, restarted or emptied meanwhile. This page is written by

\`\`\`
npm run test:faults
\`\`\`

which took ${Math.round(performance.now() / 60_000)} minutes. \`npm test\` does the same with fewer accounts and shorter waits (\`npm test -- faults\`). The faults are the list in \`test/faults/faults.ts\`.

| fault | queue in | times | what it struck | posted | lost | doubled | recovered after |
| --- | --- | --- | --- | --- | --- | --- | --- |
${rows.map((row) => `| ${row} |`).join('\n')}

Measured on ${new Date().toISOString().slice(0, 10)} with Node ${process.versions.node} on ${availableParallelism()} cores that everything shared: API, worker, PostgreSQL, Redis and the client. All settings are the defaults; those that the times hang on are \`JOB_LOCK_MS\` (a killed worker's jobs are given away), \`SWEEP_AFTER_MS\` and \`SWEEP_INTERVAL_MS\` (lost jobs are found). Redis has an append-only file, written every second.

How it is done: a client with 32 connections posts a book of dual fuel accounts and sends again what broke off or was answered with 5xx. Each context falls in the middle of the posting, and the next one two seconds after what was hit is there again; Redis stays away for ten seconds. The last tenth of the book is posted after the last context. A killed process is started again at once, but for the two of three workers.

What is counted:

- **times**: blows that have landed. A killed process must have ended by the signal, PostgreSQL must have started anew, Redis must have been emptied; accepted accounts must have been unfinished when it struck.
- **what it struck**: work that the blows met, all together. *Jobs in hand* are processes that had been IN_PROGRESS in the workers that were killed; *accounts sent again* had to be posted more than once; *accounts accepted meanwhile* got their 201 while Redis did not answer and were still PENDING; *jobs lost* were in Redis when it was emptied; *accounts turned away* were refused with 400 or ended ERRORED because the supplier was paused, and were brought back by posting them again and by \`process retry\`. None would mean that the test has failed.
- **posted**: accounts of the book. Each was answered 201 in the end, or found imported when an earlier 201 had been lost on the way.
- **lost**: those of them without an account in the database.
- **doubled**: those with more than one account or more than one PROCESSED event.
- **recovered after**: from the end of the last context, when what was hit answers again, to the last PROCESSED event, with the rest of the book.

Besides, SQL must find none of these: a process that has not come to its end; a process without exactly one account, or with other numbers than the account has; events in an order that the states forbid; a row that points at nothing, by any foreign key of the database; an account with another number of rows than its likes in any table below it. The run damages its database at the end, to show that each would be found.
`;

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { CHECKOUT } from './checkout';

/**
 * Statements that belong together, with `:name` for variables, in the form of pgbench. There must be no colon before
 * a letter in any text, for pgbench looks for variables there too.
 */
export interface SqlScript {
  /** Whole numbers between two ends, drawn anew each time. */
  readonly draws: Readonly<Record<string, readonly [least: number, most: number]>>;
  readonly statements: readonly {
    readonly text: string;
    /** Columns of its only row become variables. */
    readonly setsVariables?: true;
  }[];
}

export interface ScriptRun {
  readonly count: number;
  readonly perSecond: number;
}

export interface ScriptRunner {
  readonly name: string;
  run(databaseUrl: string, script: SqlScript, clients: number, seconds: number): Promise<ScriptRun>;
}

const execute = promisify(execFile);

/** How much longer than the run itself may take until it has connected and stopped. */
const SPARE_MS = 30_000;

/** As sessions of Portage are: whoever writes this by hand has met the plans that scan. */
const SESSION = '-c timezone=UTC -c enable_seqscan=off -c enable_bitmapscan=off';

/** `pgbench` with prepared statements where it is installed, else `pg` in this process. */
export async function scriptRunner(): Promise<ScriptRunner> {
  const version = await execute('pgbench', ['--version']).catch(() => undefined);
  return version === undefined ? inThisProcess : pgbench;
}

/** What pgbench reads. */
export function pgbenchText({ draws, statements }: SqlScript): string {
  return [
    ...Object.entries(draws).map(([name, [least, most]]) => `\\set ${name} random(${least}, ${most})`),
    ...statements.map(({ text, setsVariables }) => (setsVariables ? `${text} \\gset` : `${text};`)),
    '',
  ].join('\n');
}

/** What pg takes: the text with `$1` and so on, and which variables they are. */
export function positional(text: string): { text: string; names: readonly string[] } {
  const names: string[] = [];
  const numbered = text.replace(/(?<!:):([a-z_]+)/g, (_whole, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  return { text: numbered, names };
}

const pgbench: ScriptRunner = {
  name: 'pgbench',
  async run(databaseUrl, script, clients, seconds) {
    const directory = mkdtempSync(join(CHECKOUT, '.portage', 'pgbench-'));
    try {
      const file = join(directory, 'script.sql');
      writeFileSync(file, pgbenchText(script));
      const { stdout } = await execute(
        'pgbench',
        [
          ...['--no-vacuum', '--protocol=prepared', `--client=${clients}`, '--jobs=2'],
          ...[`--time=${seconds}`, `--file=${file}`, databaseUrl],
        ],
        // eslint-disable-next-line no-restricted-syntax -- where pgbench is, besides the settings of its sessions
        { env: { PATH: process.env['PATH'], PGOPTIONS: SESSION }, timeout: seconds * 1_000 + SPARE_MS },
      );
      return readReport(stdout);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  },
};

/** @throws Error when it is not what pgbench prints at the end of a run */
export function readReport(text: string): ScriptRun {
  const found = (what: RegExp) => Number(what.exec(text)?.[1]);
  const run = {
    count: found(/^number of transactions actually processed: (\d+)/m),
    perSecond: found(/^tps = ([\d.]+)/m),
  };
  if (!(run.count > 0 && run.perSecond > 0)) throw new Error(`pgbench did nothing:\n${text}`);
  return run;
}

const inThisProcess: ScriptRunner = {
  name: 'pg',
  async run(databaseUrl, script, clients, seconds) {
    const statements = script.statements.map((statement, index) => ({
      ...statement,
      ...positional(statement.text),
      name: `step-${index}`,
    }));
    const start = performance.now();
    const end = start + seconds * 1_000;
    const work = async () => {
      const client = new Client({
        connectionString: databaseUrl,
        options: SESSION,
        query_timeout: SPARE_MS,
      });
      await client.connect();
      let count = 0;
      try {
        for (; performance.now() < end; count += 1) {
          const variables: Record<string, unknown> = {};
          for (const [name, [least, most]] of Object.entries(script.draws))
            variables[name] = least + Math.floor(Math.random() * (most - least + 1));
          for (const { name, text, names, setsVariables } of statements) {
            const values = names.map((one) => variables[one]);
            const { rows } = await client.query<Record<string, unknown>>({ name, text, values });
            if (setsVariables) Object.assign(variables, rows[0]);
          }
        }
      } finally {
        await client.end();
      }
      return count;
    };
    const counts = await Promise.all(Array.from({ length: clients }, work));
    const count = counts.reduce((sum, one) => sum + one, 0);
    return { count, perSecond: (count * 1_000) / (performance.now() - start) };
  },
};

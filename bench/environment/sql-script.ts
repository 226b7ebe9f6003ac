import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { CHECKOUT } from './checkout';

/**
 * A sequence of statements with `:name` variables, as in pgbench. Text literals must not contain a colon before a letter,
 * because pgbench replaces variables in them too.
 */
export interface SqlScript {
  /** Variables with a random integer between two bounds, drawn for each run of the script. */
  readonly randomIntegers: Readonly<Record<string, readonly [min: number, max: number]>>;
  readonly statements: readonly {
    readonly text: string;
    /** The columns of the only result row become variables. */
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

const execFileAsync = promisify(execFile);

/** Time for connecting and stopping, in addition to the run time. */
const EXTRA_TIMEOUT_MS = 30_000;

/** The session settings of Portage, which avoid sequential and bitmap scans. */
const SESSION = '-c timezone=UTC -c enable_seqscan=off -c enable_bitmapscan=off';

/** Returns pgbench with prepared statements if it is installed, else `pg` in this process. */
export async function findScriptRunner(): Promise<ScriptRunner> {
  const version = await execFileAsync('pgbench', ['--version']).catch(() => undefined);
  return version === undefined ? pgRunner : pgbench;
}

/** The script in the syntax of pgbench. */
export function pgbenchText({ randomIntegers, statements }: SqlScript): string {
  return [
    ...Object.entries(randomIntegers).map(([name, [min, max]]) => `\\set ${name} random(${min}, ${max})`),
    ...statements.map(({ text, setsVariables }) => (setsVariables ? `${text} \\gset` : `${text};`)),
    '',
  ].join('\n');
}

/** Replaces the variables by `$1` and so on, and returns their names in this order. */
export function toPositional(text: string): { text: string; names: readonly string[] } {
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
      const { stdout } = await execFileAsync(
        'pgbench',
        [
          ...['--no-vacuum', '--protocol=prepared', `--client=${clients}`, '--jobs=2'],
          ...[`--time=${seconds}`, `--file=${file}`, databaseUrl],
        ],
        {
          // eslint-disable-next-line no-restricted-syntax -- PATH finds pgbench
          env: { PATH: process.env['PATH'], PGOPTIONS: SESSION },
          timeout: seconds * 1_000 + EXTRA_TIMEOUT_MS,
        },
      );
      return parseReport(stdout);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  },
};

/** Parses the final report of pgbench. @throws Error if it contains no transactions */
export function parseReport(text: string): ScriptRun {
  const numberAfter = (pattern: RegExp) => Number(pattern.exec(text)?.[1]);
  const run = {
    count: numberAfter(/^number of transactions actually processed: (\d+)/m),
    perSecond: numberAfter(/^tps = ([\d.]+)/m),
  };
  if (!(run.count > 0 && run.perSecond > 0)) throw new Error(`pgbench ran no transactions:\n${text}`);
  return run;
}

const pgRunner: ScriptRunner = {
  name: 'pg',
  async run(databaseUrl, script, clients, seconds) {
    const statements = script.statements.map((statement, index) => ({
      ...statement,
      ...toPositional(statement.text),
      name: `step-${index}`,
    }));
    const start = performance.now();
    const end = start + seconds * 1_000;
    const work = async () => {
      const client = new Client({
        connectionString: databaseUrl,
        options: SESSION,
        query_timeout: EXTRA_TIMEOUT_MS,
      });
      await client.connect();
      let count = 0;
      try {
        for (; performance.now() < end; count += 1) {
          const variables: Record<string, unknown> = {};
          for (const [name, [min, max]] of Object.entries(script.randomIntegers))
            variables[name] = min + Math.floor(Math.random() * (max - min + 1));
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

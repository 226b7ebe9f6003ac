import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { METRICS_TOKEN, REPOSITORY, until } from '@portage/testing';
import { freePort } from '@portage/local-environment';

/** All durations of the rules are divided by this: how long a condition holds, over how long it is measured, and ages. */
export const SHORTENED = 20;

/** Ages that are shorter belong to a program and not to the time of operators. */
const MIN_AGE_SECONDS = 60;
const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600 };

/** One series of an answer of Prometheus, with its value or its values over time. */
export interface Sample {
  metric: Record<string, string>;
  value: [number, string];
}

/** A rule of deploy/prometheus/alerts.yml with shorter durations. */
export function shorten(rules: string): string {
  const shorter = (amount: string, unit: string) =>
    `${Math.round((Number(amount) * UNITS[unit]! * 1_000) / SHORTENED)}ms`;
  return rules
    .replace(/\[(\d+)([smh])\]/g, (_all, amount: string, unit: string) => `[${shorter(amount, unit)}]`)
    .replace(/for: (\d+)([smh])/g, (_all, amount: string, unit: string) => `for: ${shorter(amount, unit)}`)
    .replace(/_seconds\) > (\d+)$/gm, (all, age: string) =>
      Number(age) < MIN_AGE_SECONDS ? all : `_seconds) > ${Number(age) / SHORTENED}`,
    );
}

/** A Prometheus server that scrapes an installation and evaluates the rules of deploy/prometheus. */
export class Prometheus {
  private constructor(
    private readonly baseUrl: string,
    readonly stop: () => Promise<void>,
  ) {}

  static async start(targets: Readonly<Record<string, readonly string[]>>): Promise<Prometheus> {
    const folder = mkdtempSync(join(tmpdir(), 'portage-prometheus-'));
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const rules = readFileSync(join(REPOSITORY, 'deploy/prometheus/alerts.yml'), 'utf8');
    const configuration = {
      // While the queue does not answer, a scrape takes a second.
      global: { scrape_interval: '2s', scrape_timeout: '2s', evaluation_interval: '1s' },
      rule_files: [file('rules.yml', shorten(rules))],
      scrape_configs: Object.entries(targets).map(([job_name, urls]) => ({
        job_name,
        authorization: { credentials: METRICS_TOKEN },
        static_configs: [{ targets: urls.map((url) => new URL(url).host) }],
      })),
    };
    const port = await freePort();
    const log = openSync(join(folder, 'log'), 'a');
    const server = spawn(
      'prometheus',
      [
        `--config.file=${file('prometheus.yml', JSON.stringify(configuration))}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--query.lookback-delta=10s',
      ],
      { stdio: ['ignore', log, log] },
    );
    closeSync(log);
    const exited = once(server, 'exit');
    const prometheus = new Prometheus(`http://127.0.0.1:${port}/`, async () => {
      server.kill('SIGTERM');
      await exited;
      rmSync(folder, { recursive: true });
    });
    await until(
      async () => {
        const response = await fetch(`http://127.0.0.1:${port}/-/ready`).catch(() => undefined);
        return response?.ok ?? false;
      },
      () => readFileSync(join(folder, 'log'), 'utf8'),
      30_000,
    );
    return prometheus;
  }

  /** The series of a query at this moment. */
  async query(query: string): Promise<Sample[]> {
    const response = await fetch(`${this.baseUrl}api/v1/query?${new URLSearchParams({ query }).toString()}`);
    const { data, error } = (await response.json()) as { data?: { result: Sample[] }; error?: string };
    if (!data) throw new Error(`${query}: ${error}`);
    return data.result;
  }

  /** The alerts that fire now. */
  async firing(): Promise<Set<string>> {
    const samples = await this.query('ALERTS{alertstate="firing"}');
    return new Set(samples.map(({ metric }) => metric['alertname']!));
  }
}

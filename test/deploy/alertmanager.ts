import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newDirectory, until } from '@portage/testing';
import { freePort } from '@portage/local-environment';

type Labels = Readonly<Record<string, string>>;

/** A real Alertmanager with rules of inhibition. It sends no notification. */
export class Alertmanager {
  private constructor(
    private readonly baseUrl: string,
    readonly stop: () => Promise<void>,
  ) {}

  static async start(program: string, inhibitRules: readonly object[]): Promise<Alertmanager> {
    const folder = newDirectory();
    const file = join(folder, 'alertmanager.yml');
    const configuration = {
      route: { receiver: 'none' },
      receivers: [{ name: 'none' }],
      inhibit_rules: inhibitRules,
    };
    await writeFile(file, JSON.stringify(configuration));
    const port = await freePort();
    const server = spawn(
      program,
      [
        `--config.file=${file}`,
        `--storage.path=${folder}`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--cluster.listen-address=',
      ],
      { stdio: 'ignore' },
    );
    const exited = once(server, 'exit');
    const baseUrl = `http://127.0.0.1:${port}`;
    const manager = new Alertmanager(baseUrl, async () => {
      server.kill('SIGTERM');
      await exited;
    });
    await until(
      async () => (await fetch(`${baseUrl}/-/ready`).catch(() => undefined))?.ok ?? false,
      'Alertmanager is not ready',
    );
    return manager;
  }

  /** Reports alerts as Prometheus does. @returns the names of those that are not inhibited */
  async notifying(firing: readonly Labels[]): Promise<string[]> {
    const alerts = firing.map((labels) => ({ labels, startsAt: new Date().toISOString() }));
    const response = await fetch(`${this.baseUrl}/api/v2/alerts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(alerts),
    });
    expect(response.status).toBe(200);
    const states = async () =>
      (await (await fetch(`${this.baseUrl}/api/v2/alerts`)).json()) as {
        labels: Labels;
        status: { state: string };
      }[];
    // An alert is unprocessed until it was compared with the rules.
    await until(async () => {
      const found = await states();
      return found.length === firing.length && found.every(({ status }) => status.state !== 'unprocessed');
    }, 'Alertmanager has not processed all alerts');
    const active = (await states()).filter(({ status }) => status.state === 'active');
    return active.map(({ labels }) => labels['alertname']!).sort();
  }
}

import { settings } from './settings';

type Variable = keyof typeof settings;

/** Which heading stands above which variable. A variable belongs to the heading before it in {@link settings}. */
const HEADINGS: Partial<Record<Variable, string>> = {
  NODE_ENV: 'Where Portage runs',
  API_HOST: 'Addresses, ports and workers',
  DATABASE_URL: 'Database and queues',
  TOKEN_SECRET: 'Access',
  STRIPE_API_KEY: 'Payment vendors',
  DOCUMENT_STORE_URL: 'Documents and e-mails',
  PLATFORM_TIMEZONE: 'Times and logs',
  MAX_BODY_BYTES: 'Limits of requests, answers and memory',
  SHUTDOWN_GRACE_MS: 'Stopping, schedules and the sweeper',
};

const WIDTH = 110;

/** The text of `.env.example`: every variable with what it is for and its default, none of them switched on. */
export function envExample(): string {
  const lines = [
    '# Every variable of Portage, with its default. A variable that is empty counts as absent.',
    '# Portage reads its environment, not this file: copy it to .env and hand that over, for example with',
    '# `node --env-file=.env dist/apps/api/src/main.js`, or as env_file of a container.',
  ];
  for (const [variable, setting] of Object.entries(settings) as [Variable, (typeof settings)[Variable]][]) {
    const heading = HEADINGS[variable];
    if (heading) lines.push('', `## ${heading}`);
    // What is read into an object, an address, has no default.
    const preset = setting.default as string | number | boolean | undefined;
    lines.push('', ...comment(setting.desc ?? ''), `#${variable}=${preset ?? ''}`);
  }
  return `${lines.join('\n')}\n`;
}

function comment(text: string): string[] {
  const lines = ['#'];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1) ?? ''} ${word}`;
    if (longer.length <= WIDTH) lines[lines.length - 1] = longer;
    else lines.push(`# ${word}`);
  }
  return lines;
}

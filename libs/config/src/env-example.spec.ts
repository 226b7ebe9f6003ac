import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { loadConfig } from './config';
import { envExample } from './env-example';
import { settings } from './settings';

const file = readFileSync(join(__dirname, '..', '..', '..', '.env.example'), 'utf8');

describe('.env.example', () => {
  // Written again, after a build, with:
  // node -p "require('./dist/libs/config/src/env-example').envExample().trimEnd()" > .env.example
  it('is written from the table of settings', () => {
    expect(file).toBe(envExample());
  });

  it('sets nothing until a line is switched on', () => {
    expect(parseEnv(file)).toEqual({});
  });

  it('says of every variable what it is for, and its default', () => {
    const undocumented = Object.entries(settings).filter(([, { desc }]) => !desc);
    expect(undocumented).toEqual([]);
    const switchedOn = parseEnv(file.replaceAll(/^#(?=[A-Z_]+=)/gm, ''));
    expect(Object.keys(switchedOn).sort()).toEqual(Object.keys(settings).sort());
  });

  it('with every line switched on changes no setting', () => {
    const DATABASE_URL = 'postgres://127.0.0.1/portage';
    const switchedOn = parseEnv(file.replaceAll(/^#(?=[A-Z_]+=)/gm, '')) as NodeJS.ProcessEnv;
    expect(loadConfig('cli', { ...switchedOn, DATABASE_URL })).toEqual(loadConfig('cli', { DATABASE_URL }));
  });
});

import { SETTING_GROUPS, settings, type Variable } from './settings';

const MAX_LINE_LENGTH = 110;

/** The text of `.env.example`: every variable with its description and its default, each commented out. */
export function envExample(): string {
  const lines = [
    '# Every environment variable of Portage with its default. An empty variable counts as unset.',
    '# Copy it to .env, which npm start, start:api, start:worker, migrate and npx portage read. The environment wins.',
    '# Containers do not read it: name it as their env_file.',
    ...SETTING_GROUPS.flatMap(({ heading, variables }) => [
      '',
      `## ${heading}`,
      ...variables.flatMap(describeVariable),
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

function describeVariable(variable: Variable): string[] {
  const setting = settings[variable];
  // Settings that are parsed into an object have no default, so the default is always a primitive.
  const preset = setting.default as string | number | boolean | undefined;
  return ['', ...wrapComment(setting.desc ?? ''), `#${variable}=${preset ?? ''}`];
}

function wrapComment(text: string): string[] {
  const lines = ['#'];
  for (const word of text.split(' ')) {
    const extended = `${lines.at(-1) ?? ''} ${word}`;
    if (extended.length <= MAX_LINE_LENGTH) lines[lines.length - 1] = extended;
    else lines.push(`# ${word}`);
  }
  return lines;
}

import type { Findings, Goal, Table } from './measures/measure';
import { spread } from './statistics';

const HEADING = `# Results of the benchmarks

\`npm run bench\` writes the section of each measure that it runs; [docs/performance.md](../docs/performance.md) explains the results. Contenders run in turn within one run. Figures are medians, with the minimum and the maximum in brackets. Compare the ratios: absolute figures depend on the machine.
`;

interface Section {
  readonly name: string;
  readonly title: string;
  readonly when: Date;
  readonly machine: string;
  readonly rounds: number;
  readonly findings: Findings;
}

/** Returns the page with the section of one measure replaced or added. Sections have the order of `names`. */
export function replaceSection(page: string, section: Section, names: readonly string[]): string {
  const sections = new Map(
    page
      .split(/^## /m)
      .slice(1)
      .map((text) => [text.slice(0, text.indexOf('\n')).trim(), text.trim()]),
  );
  sections.set(section.name, sectionText(section));
  const inOrder = names.flatMap((name) => sections.get(name) ?? []);
  return [HEADING, ...inOrder.map((text) => `## ${text}\n`)].join('\n');
}

/** Whether a goal is met, and by how many percent. */
export function verdict(goal: Goal): string {
  const limit = 'atLeast' in goal ? goal.atLeast : goal.atMost;
  if (Number.isNaN(goal.measured)) return 'unknown';
  if (limit === 0) return isGoalMet(goal) ? 'met' : 'missed';
  const percent = Math.round((Math.abs(goal.measured - limit) / limit) * 100);
  return isGoalMet(goal) ? `met by ${percent} %` : `missed by ${percent} %`;
}

function isGoalMet(goal: Goal): boolean {
  return 'atLeast' in goal ? goal.measured >= goal.atLeast : goal.measured <= goal.atMost;
}

/** Formats a number with three significant digits, or more for numbers of 1,000 and above. */
export function formatFigure(value: number): string {
  if (Number.isNaN(value)) return '-';
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Formats the median of several rounds with the minimum and the maximum. */
export function formatFigures(values: readonly number[]): string {
  const { median, min, max } = spread(values);
  return values.length < 2
    ? formatFigure(median)
    : `${formatFigure(median)} (${formatFigure(min)} to ${formatFigure(max)})`;
}

/** The text of the section of a measure, starting with its name. */
export function sectionText({ name, title, when, machine, rounds, findings }: Section): string {
  const runInfo = `${when.toISOString().slice(0, 16).replace('T', ' ')} UTC on ${machine}; ${rounds === 1 ? 'one round' : `${rounds} rounds`}.`;
  const { load, tables, goals } = findings;
  return [
    name,
    `${title}. ${load}`,
    runInfo,
    ...tables.map(tableText),
    ...(goals.length > 0 ? [goalsText(goals)] : []),
  ].join('\n\n');
}

function goalsText(goals: readonly Goal[]): string {
  const rows = goals.map((goal) => {
    const unit = goal.unit === undefined ? '' : ` ${goal.unit}`;
    const target =
      'atLeast' in goal
        ? `at least ${formatFigure(goal.atLeast)}${unit}`
        : `at most ${formatFigure(goal.atMost)}${unit}`;
    return [goal.name, target, `${formatFigure(goal.measured)}${unit}`, verdict(goal)];
  });
  return tableText({ columns: ['goal', 'target', 'measured', 'result'], rows });
}

function tableText({ caption, columns, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const text = [columns, columns.map(() => '---'), ...rows].map(line).join('\n');
  return caption === undefined ? text : `${caption}:\n\n${text}`;
}

import { formatFigures, replaceSection, type Section, verdict } from './results';

const NAMES = ['end-to-end', 'status', 'growth'];

function section(name: string, measured: string): Section {
  return {
    name,
    title: `About ${name}`,
    when: new Date('2026-11-21T10:20:30Z'),
    machine: '2 cores',
    rounds: 5,
    findings: {
      load: 'A load.',
      tables: [{ columns: ['', 'accounts/s'], rows: [['Portage', measured]] }],
      goals: [{ name: 'against stock', measured: 5.5, atLeast: 5 }],
    },
  };
}

describe('the page of results', () => {
  const page = replaceSection(
    replaceSection('', section('growth', '100'), NAMES),
    section('status', '200'),
    NAMES,
  );

  it('has the sections in the order of the measures', () => {
    expect(page.match(/^## .*$/gm)).toEqual(['## status', '## growth']);
  });

  it('replaces the section of a measure and keeps the other sections', () => {
    const repeated = replaceSection(page, section('status', '300'), NAMES);
    expect(repeated).toBe(page.replace('| Portage | 200 |', '| Portage | 300 |'));
    expect(repeated).toContain('| Portage | 100 |');
  });

  it('removes the section of a measure that no longer exists', () => {
    expect(replaceSection(page, section('status', '300'), ['status'])).not.toContain('growth');
  });

  it('has for each goal whether it is met and by how much', () => {
    expect(page).toContain('| against stock | at least 5.00 | 5.50 | met by 10 % |');
    expect(verdict({ name: '', measured: 4, atLeast: 5 })).toBe('missed by 20 %');
    expect(verdict({ name: '', measured: 1.5, atMost: 1 })).toBe('missed by 50 %');
    expect(verdict({ name: '', measured: 0, atMost: 0 })).toBe('met');
    expect(verdict({ name: '', measured: NaN, atMost: 1 })).toBe('unknown');
  });

  it('has medians with minimum and maximum', () => {
    expect(formatFigures([1_050, 980, 1_012])).toBe('1,012 (980 to 1,050)');
    expect(formatFigures([0.754])).toBe('0.75');
  });
});

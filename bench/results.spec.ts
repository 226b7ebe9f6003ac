import { figures, type Section, verdict, withSection } from './results';

const NAMES = ['end-to-end', 'status', 'growth'];

function section(name: string, found: string): Section {
  return {
    ...{
      name,
      title: `About ${name}`,
      when: new Date('2026-11-21T10:20:30Z'),
      machine: '2 cores',
      rounds: 5,
    },
    findings: {
      load: 'A load.',
      tables: [{ columns: ['', 'accounts/s'], rows: [['Portage', found]] }],
      goals: [{ what: 'against stock', found: 5.5, atLeast: 5 }],
    },
  };
}

describe('the page of results', () => {
  const both = withSection(withSection('', section('growth', '100'), NAMES), section('status', '200'), NAMES);

  it('has the sections in the order of the measures, whichever ran first', () => {
    expect(both.match(/^## .*$/gm)).toEqual(['## status', '## growth']);
  });

  it('gets a new section in the place of the former one and keeps the others as they are', () => {
    const repeated = withSection(both, section('status', '300'), NAMES);
    expect(repeated).toBe(both.replace('| Portage | 200 |', '| Portage | 300 |'));
    expect(repeated).toContain('| Portage | 100 |');
  });

  it('loses the section of a measure that does not exist any more', () => {
    expect(withSection(both, section('status', '300'), ['status'])).not.toContain('growth');
  });

  it('says of each goal whether it is met and how far from it the figure is', () => {
    expect(both).toContain('| against stock | at least 5.00 | 5.50 | met, 10 % to spare |');
    expect(verdict({ what: '', found: 4, atLeast: 5 })).toBe('missed by 20 %');
    expect(verdict({ what: '', found: 1.5, atMost: 1 })).toBe('missed by 50 %');
    expect(verdict({ what: '', found: 0, atMost: 0 })).toBe('met');
    expect(verdict({ what: '', found: NaN, atMost: 1 })).toBe('unknown');
  });

  it('says what is in the way of a goal, where it is missed', () => {
    const page = (found: number) => {
      const one = section('status', '200');
      const goals = [{ what: 'rate', found, atLeast: 5, inTheWay: 'the way.' }];
      return withSection('', { ...one, findings: { ...one.findings, goals } }, NAMES);
    };
    expect(page(4)).toContain('What is in the way (rate): the way.');
    expect(page(5)).not.toContain('in the way');
  });

  it('shows medians with both ends', () => {
    expect(figures([1_050, 980, 1_012])).toBe('1,012 (980 to 1,050)');
    expect(figures([0.754])).toBe('0.75');
  });
});

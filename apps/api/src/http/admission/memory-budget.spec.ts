import { MemoryBudget } from './memory-budget';

describe('a memory budget', () => {
  it('limits each owner and all together', () => {
    const budget = new MemoryBudget({ perOwner: 60, total: 100 });
    const [first, second, third] = [budget.open('a'), budget.open('a'), budget.open('b')];
    expect(first.grow(40)).toBeUndefined();
    expect(second.grow(30)).toBe('owner');
    expect(second.grow(20)).toBeUndefined();
    expect(third.grow(50)).toBe('process');
    expect(third.grow(40)).toBeUndefined();
    expect(budget.total).toBe(100);
  });

  it('counts what a reservation grows by, and nothing for one that does not grow', () => {
    const budget = new MemoryBudget({ perOwner: 60, total: 100 });
    const reservation = budget.open('a');
    for (const bytes of [10, 30, 20, 30]) reservation.grow(bytes);
    expect(budget.total).toBe(30);
    expect(reservation.grow(61)).toBe('owner');
    expect(budget.total).toBe(30);
  });

  it('has all of its memory again once every reservation is released, each once', () => {
    const budget = new MemoryBudget({ perOwner: 60, total: 100 });
    const reservations = ['a', 'a', 'b'].map((owner) => budget.open(owner));
    for (const reservation of reservations) reservation.grow(20);
    for (const reservation of [...reservations, ...reservations]) reservation.release();
    expect(budget.total).toBe(0);
    expect(budget.open('a').grow(60)).toBeUndefined();
  });

  it('takes nothing for a reservation that was released', () => {
    const budget = new MemoryBudget({ perOwner: 60, total: 100 });
    const reservation = budget.open('a');
    reservation.release();
    expect(reservation.grow(1_000)).toBeUndefined();
    expect(budget.total).toBe(0);
  });
});

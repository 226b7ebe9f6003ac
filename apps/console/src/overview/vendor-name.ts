const NAMES: Readonly<Record<string, string>> = { STRIPE: 'Stripe', GOCARDLESS: 'GoCardless' };

/** The name by which a payment vendor calls itself. */
export const vendorName = (name: string): string => NAMES[name.toUpperCase()] ?? name;

/** The state of a circuit breaker as chips know it: an open breaker is a fault, an open submission is none. */
export const breakerState = (breaker: string): string => (breaker === 'open' ? 'breaker_open' : breaker);

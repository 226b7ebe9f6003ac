const NAMES: Readonly<Record<string, string>> = { STRIPE: 'Stripe', GOCARDLESS: 'GoCardless' };

/** The name by which a payment vendor calls itself. */
export const vendorName = (name: string): string => NAMES[name.toUpperCase()] ?? name;

import { eachRepeat, rule, type Rule } from './engine/rule';
import { isGiven } from './terms/is-given';
import { quote } from './terms/quote';

/** Rules about portfolios, which are groups of accounts. */
export const PORTFOLIO_RULES: readonly Rule[] = [
  rule({
    code: 'portfolio_settings_included_when_not_lead',
    on: 'portfolio',
    field: 'portfolio_settings',
    reason: "Only the lead account of a portfolio may set the portfolio's settings.",
    breach: (portfolio, { isPortfolioLead }) =>
      !isPortfolioLead &&
      isGiven(portfolio.portfolio_settings) &&
      'Only the account that leads a portfolio may have portfolio settings.',
  }),
  rule({
    code: 'portfolio_references_missing',
    on: 'portfolio',
    field: 'portfolio_references',
    needs: ['supplier: create_new_portfolios'],
    reason: 'Settings for an existing portfolio need a reference by which it is found.',
    breach: (portfolio, { supplier }) => {
      if (supplier.create_new_portfolios || !isGiven(portfolio.portfolio_settings)) return undefined;
      return (
        !isGiven(portfolio.portfolio_references) &&
        'Send a reference of the portfolio that the settings are for.'
      );
    },
  }),
  rule({
    code: 'portfolio_references_provided',
    on: 'portfolio',
    field: 'portfolio_references',
    needs: ['supplier: create_new_portfolios'],
    reason: 'A portfolio that is created with the account cannot have references yet.',
    breach: (portfolio, { supplier }) =>
      supplier.create_new_portfolios &&
      isGiven(portfolio.portfolio_references) &&
      'New portfolios are created for this supplier: leave the references out.',
  }),
  rule({
    code: 'duplicate_portfolio_references',
    on: 'portfolio',
    field: 'portfolio_references.<i>.namespace',
    reason: 'A portfolio has one reference in each namespace.',
    breach: ({ portfolio_references: references }) =>
      eachRepeat(
        references,
        (one) => one.namespace,
        (first, { namespace }) =>
          `Repeats portfolio_references.${first}, which has the namespace ${quote(namespace)} as well.`,
      ),
  }),
];

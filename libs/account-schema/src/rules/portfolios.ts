import { rule, type Rule } from './engine/rule';
import { given } from './terms/given';
import { quote } from './terms/quote';
import { repeats } from './terms/repeats';

/** Portfolios: groups of accounts that are run together. */
export const PORTFOLIO_RULES: readonly Rule[] = [
  rule({
    code: 'portfolio_settings_included_when_not_lead',
    path: 'portfolio.portfolio_settings | business.portfolios.<i>.portfolio_settings',
    why: 'What the accounts of a portfolio do together is said by its lead alone.',
    checks: {
      portfolio(portfolio, { isPortfolioLead }, report) {
        if (!isPortfolioLead && given(portfolio.portfolio_settings))
          report(
            'portfolio_settings',
            'Only the account that leads a portfolio may have portfolio settings.',
          );
      },
    },
  }),
  rule({
    code: 'portfolio_references_missing',
    path: 'portfolio.portfolio_references | business.portfolios.<i>.portfolio_references',
    needs: ['supplier: create_new_portfolios'],
    why: 'Settings are for a portfolio, and this one cannot be found.',
    checks: {
      portfolio(portfolio, { supplier }, report) {
        if (supplier.create_new_portfolios || !given(portfolio.portfolio_settings)) return;
        if (!given(portfolio.portfolio_references))
          report('portfolio_references', 'Say which portfolio the settings are for.');
      },
    },
  }),
  rule({
    code: 'portfolio_references_provided',
    path: 'portfolio.portfolio_references | business.portfolios.<i>.portfolio_references',
    needs: ['supplier: create_new_portfolios'],
    why: 'A portfolio that is created with the account has no earlier name.',
    checks: {
      portfolio(portfolio, { supplier }, report) {
        if (supplier.create_new_portfolios && given(portfolio.portfolio_references))
          report('portfolio_references', 'This supplier creates new portfolios, which are not referred to.');
      },
    },
  }),
  rule({
    code: 'duplicate_portfolio_references',
    path: 'portfolio.portfolio_references.<i>.namespace | business.portfolios.<i>.portfolio_references.<j>.namespace',
    why: 'A portfolio has one name of a kind.',
    checks: {
      portfolio({ portfolio_references: references }, _facts, report) {
        for (const i of repeats(references, ({ namespace }) => namespace))
          report(
            `portfolio_references.${i}.namespace`,
            `There is another reference of the kind ${quote(references?.[i]?.namespace ?? '')}.`,
          );
      },
    },
  }),
];

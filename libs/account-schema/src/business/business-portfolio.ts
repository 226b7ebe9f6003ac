import { PortfolioReference, PortfolioSettings } from '../account/portfolio';
import { Note } from '../note/note';
import { ListOf, Nested, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('A portfolio that belongs to the business.')
export class BusinessPortfolio {
  @ListOf('References by which the portfolio is found, at most one in each namespace.', PortfolioReference, {
    required: true,
    minItems: 1,
  })
  portfolio_references: PortfolioReference[];

  @Text('Name on statements of the whole portfolio.', { max: 510 }) billing_name?: string;
  @ListOf('Notes about the portfolio.', Note) notes?: Note[];

  @Nested('Settings of the portfolio; only the lead account may send them.', PortfolioSettings, {
    nullable: true,
  })
  portfolio_settings?: PortfolioSettings | null;
}

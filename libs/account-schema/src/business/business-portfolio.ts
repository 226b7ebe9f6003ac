import { PortfolioReference, PortfolioSettings } from '../account/portfolio';
import { Note } from '../note/note';
import { ListOf, Nested, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('A portfolio that belongs to the business.')
export class BusinessPortfolio {
  @ListOf('What the portfolio is found by, one name of a kind.', PortfolioReference, {
    required: true,
    minItems: 1,
  })
  portfolio_references: PortfolioReference[];

  @Text('Name on statements for the whole portfolio.', { max: 510 })
  billing_name?: string;

  @ListOf('Notes about the portfolio.', Note)
  notes?: Note[];

  @Nested('What its accounts do together; only its lead may say.', PortfolioSettings, { nullable: true })
  portfolio_settings?: PortfolioSettings | null;
}

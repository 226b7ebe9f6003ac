import { Note } from '../note/note';
import { Flag, ListOf, Nested, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('One name by which a portfolio is found.')
export class PortfolioReference {
  @Text('Which kind of name, as the operator lists it.', {
    required: true,
    list: 'portfolio_reference_namespaces',
    example: 'portfolio-label',
  })
  namespace: string;

  @Text('The name.', { required: true, max: 100, example: 'P-77' })
  value: string;
}

@About('What the accounts of a portfolio do together.')
export class PortfolioSettings {
  @Flag('Whether all accounts get one bill.', { default: false })
  collective_billing?: boolean;

  @Flag('Whether one payment covers all accounts.', { default: false })
  collective_payments?: boolean;

  @Flag("Whether each account's own billing options decide when it is billed, not the lead's.", {
    default: false,
  })
  delegate_billing_schedule_to_children?: boolean;

  @Flag('Whether each member of a collective bill gets a message too.', { default: false })
  send_collective_bill_constituent_messages?: boolean;
}

@About('A group of accounts that are run together.')
export class Portfolio {
  @ListOf('What the portfolio is found by, one name of a kind.', PortfolioReference)
  portfolio_references?: PortfolioReference[];

  @Text('Name on statements for the whole portfolio.', { max: 510 })
  billing_name?: string;

  @ListOf('Notes about the portfolio.', Note)
  notes?: Note[];

  @Nested('What its accounts do together; only its lead may say.', PortfolioSettings, { nullable: true })
  portfolio_settings?: PortfolioSettings | null;
}

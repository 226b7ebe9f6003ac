import { Code, Flag, ListOf, Nested, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';
import { Note } from './documents';

@About('A reference by which a portfolio is found.')
export class PortfolioReference {
  @Code("Namespace of the reference, from the operator's list.", {
    required: true,
    list: 'portfolio_reference_namespaces',
    example: 'portfolio-label',
  })
  namespace: string;

  @Code('The reference.', { required: true, maxLength: 100, example: 'P-77' }) value: string;
}

@About('Settings that the accounts of a portfolio share.')
export class PortfolioSettings {
  @Flag('Whether all accounts receive one collective bill.', { default: false }) collective_billing?: boolean;
  @Flag('Whether one payment covers all accounts.', { default: false }) collective_payments?: boolean;

  @Flag("Whether each account is billed by its own billing options instead of the lead's.", {
    default: false,
  })
  delegate_billing_schedule_to_children?: boolean;

  @Flag('Whether each account on a collective bill also receives a message.', { default: false })
  send_collective_bill_constituent_messages?: boolean;
}

@About('A group of accounts that are managed together.')
export class Portfolio {
  @ListOf('References by which the portfolio is found, at most one in each namespace.', PortfolioReference)
  portfolio_references?: PortfolioReference[];

  @Text('Name on statements of the whole portfolio.', { maxLength: 510 }) billing_name?: string;
  @ListOf('Notes about the portfolio.', Note) notes?: Note[];

  @Nested('Settings of the portfolio; only the lead account may send them.', PortfolioSettings, {
    nullable: true,
  })
  portfolio_settings?: PortfolioSettings | null;
}

@About('A portfolio that belongs to the business.')
export class BusinessPortfolio {
  @ListOf('References by which the portfolio is found, at most one in each namespace.', PortfolioReference, {
    required: true,
    arrayMinSize: 1,
  })
  portfolio_references: PortfolioReference[];

  @Text('Name on statements of the whole portfolio.', { maxLength: 510 }) billing_name?: string;
  @ListOf('Notes about the portfolio.', Note) notes?: Note[];

  @Nested('Settings of the portfolio; only the lead account may send them.', PortfolioSettings, {
    nullable: true,
  })
  portfolio_settings?: PortfolioSettings | null;
}

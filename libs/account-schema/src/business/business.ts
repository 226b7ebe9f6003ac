import { companyNumber } from '../formats/company-number';
import { Choice, Json, ListOf, ListOfTexts, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';
import { BusinessPortfolio } from './business-portfolio';
import { BusinessUser } from './business-user';

export const BUSINESS_TYPES = [
  'SOLE_TRADER',
  'LTD',
  'PTY_LTD',
  'PARTNERSHIP',
  'CHARITY',
  'PLC',
  'LLP',
  'TRUST',
  'TRADING_AS',
  'GOVERNMENT',
  'NON_PROFIT',
  'CHURCH',
  'HOMEOWNER_ASSOCIATION',
  'TBD',
];

@About('A fact about the business that the operator has registered a place for.')
export class BusinessDetail {
  @Text('The registered place.', { required: true, list: 'business_detail_keys', example: 'vat_number' })
  key: string;

  @Json('The fact, of the type that belongs there.', { required: true, example: 'GB000000000' })
  value: unknown;
}

/** The two fields about contracts have a meaning only for suppliers whose accounts must fall under one. */
@About('The company behind the account.')
export class Business {
  @Choice('Legal form.', BUSINESS_TYPES, { example: 'LTD' })
  business_type?: string;

  @Text("The company's name.", { max: 255, example: 'Harbour Lane Loaves Ltd' })
  company_name?: string;

  @Text('Number in the register of companies.', { max: 100, format: companyNumber, example: '01234567' })
  company_number?: string;

  @Text('Segment of the market, as the operator lists it.', { list: 'business_segments' })
  segment_name?: string;

  @ListOf('Facts that the operator has registered a place for, one a place.', BusinessDetail)
  details?: BusinessDetail[];

  @ListOf('Portfolios of the business.', BusinessPortfolio)
  portfolios?: BusinessPortfolio[];

  @ListOf('Who acts for it.', BusinessUser)
  users?: BusinessUser[];

  @ListOfTexts('Contracts that the account falls under.')
  business_contract_identifiers?: string[];

  @Text('The one contract, from when there could be only one.', {
    deprecated: 'business_contract_identifiers',
  })
  business_contract_identifier?: string;
}

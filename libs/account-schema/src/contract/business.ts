import { companyNumber } from '../formats/formats';
import { Choice, Code, Json, ListOf, ListOfTexts, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';
import { Person } from './customer';
import { BusinessPortfolio } from './portfolio';

@About('A person who acts for the business.')
export class BusinessUser extends Person {
  @ListOfTexts("Roles on every account of the business, from the operator's list.", {
    required: true,
    list: 'roles',
    example: ['ADMIN'],
  })
  business_roles: string[];
}

/** The published legal forms of a business. */
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
] as const;

@About('A fact about the business, under a key that the operator has registered.')
export class BusinessDetail {
  @Code("Key of the fact, from the operator's list.", {
    required: true,
    list: 'business_detail_keys',
    example: 'vat_number',
  })
  key: string;

  @Json('Value of the fact, of the type registered for the key.', { required: true, example: 'GB000000000' })
  value: unknown;
}

/** The contract identifiers are used only for suppliers whose accounts must belong to a business contract. */
@About('The company behind the account.')
export class Business {
  @Choice('Legal form of the company.', BUSINESS_TYPES, { example: 'LTD' })
  business_type?: (typeof BUSINESS_TYPES)[number];
  @Text('Name of the company.', { maxLength: 255, example: 'Harbour Lane Loaves Ltd' }) company_name?: string;

  @Text('Registration number of the company.', { maxLength: 100, format: companyNumber, example: '01234567' })
  company_number?: string;

  @Text("Market segment, from the operator's list.", { list: 'business_segments' }) segment_name?: string;

  @ListOf('Details under registered keys, at most one for each key.', BusinessDetail)
  details?: BusinessDetail[];

  @ListOf('Portfolios of the business.', BusinessPortfolio) portfolios?: BusinessPortfolio[];
  @ListOf('People who act for the business.', BusinessUser) users?: BusinessUser[];

  @ListOfTexts('Identifiers of the business contracts that the account belongs to.', {
    item: { identifies: true },
  })
  business_contract_identifiers?: string[];

  @Code('Identifier of a single business contract; superseded by the list.', {
    deprecated: 'business_contract_identifiers',
  })
  business_contract_identifier?: string;
}

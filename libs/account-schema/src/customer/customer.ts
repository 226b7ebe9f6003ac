import { Consent } from '../account/consent';
import { MetadataItem } from '../account/metadata-item';
import { Choice, ListOf, ListOfTexts, Nested, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';
import { CustomerPreferences } from './customer-preferences';
import { Person } from './person';
import { PriorityServicesRecord } from './priority-services-record';

const PRONOUNS = [
  'OTHER',
  'E_EM_EIR',
  'EY_EM_EIR',
  'FAE_FAER_FAERS',
  'HE_HIM_HIS',
  'PER_PER_PERS',
  'SHE_HER_HERS',
  'THEY_THEM_THEIRS',
  'VE_VER_VIS',
  'XE_XEM_XYR',
  'ZE_HIR_HIRS',
  'ZE_ZIR_ZIRS',
  'ZIE_HIR_HIRS',
  'ZIE_ZIR_ZIRS',
  '',
];

@About('A person on the account.')
export class Customer extends Person {
  @Text('Name by which other parts of the payload point at this person.', { example: 'cust-1' })
  user_identifier?: string;

  @Choice('Pronouns in the third person.', PRONOUNS, { nullable: true, default: '' })
  pronouns?: string | null;

  @ListOfTexts("Roles in the whole portfolio; the operator's usual one unless given.", {
    list: 'roles',
    example: ['ADMIN'],
  })
  portfolio_roles?: string[];

  @ListOfTexts('Roles in this account alone.', { list: 'roles' })
  account_roles?: string[];

  @Text('The one role, from when there could be only one.', {
    nullable: true,
    list: 'roles',
    deprecated: 'portfolio_roles',
  })
  role?: string | null;

  @ListOf("The person's own consents, one of a type; not together with `customer_preferences`.", Consent)
  consents?: Consent[];

  @Nested('Wanted messages, as they were asked for before consents.', CustomerPreferences, {
    deprecated: 'consents',
  })
  customer_preferences?: CustomerPreferences;

  @ListOf('Needs that entitle to priority services.', PriorityServicesRecord, { tier: 'gbr' })
  psr?: PriorityServicesRecord[];

  @ListOf('Facts that the contract has no field for, by name.', MetadataItem)
  metadata?: MetadataItem[];
}

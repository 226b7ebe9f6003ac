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
  @Text('Identifier by which other parts of the payload refer to this person.', {
    identifies: true,
    example: 'cust-1',
  })
  user_identifier?: string;

  @Choice('Pronouns in the third person.', PRONOUNS, { nullable: true, default: '' })
  pronouns?: string | null;

  @ListOfTexts("Roles in the whole portfolio; defaults to the operator's default role.", {
    list: 'roles',
    example: ['ADMIN'],
  })
  portfolio_roles?: string[];

  @ListOfTexts('Roles on this account only.', { list: 'roles' }) account_roles?: string[];

  @Text('A single role; superseded by the lists.', {
    nullable: true,
    list: 'roles',
    deprecated: 'portfolio_roles',
  })
  role?: string | null;

  @ListOf(
    'Consents of the person, at most one of each type; not together with `customer_preferences`.',
    Consent,
  )
  consents?: Consent[];

  @Nested('Message preferences; superseded by consents.', CustomerPreferences, { deprecated: 'consents' })
  customer_preferences?: CustomerPreferences;

  @ListOf('Needs that entitle the person to priority services.', PriorityServicesRecord, { tier: 'gbr' })
  psr?: PriorityServicesRecord[];

  @ListOf('Additional facts by key, for which the contract has no field.', MetadataItem)
  metadata?: MetadataItem[];
}

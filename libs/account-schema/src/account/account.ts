import { About } from '../vocabulary/description';
import { CalendarDate, Identifier, ListOf, Nested, Text } from '../vocabulary/decorators';
import { email } from '../formats/email';
import { postcode } from '../formats/postcode';
import { Address } from './address';
import { Customer } from '../customer/customer';

@About('A customer account as the supplier hands it over: who is on it, what is supplied, what is owed.')
export class Account {
  @Identifier('Code of the import supplier, as the operator gave it.', {
    required: true,
    example: 'LEGACY_A',
  })
  import_supplier: string;

  @Identifier("The account's number in the supplier's system; later requests find the account by it.", {
    required: true,
    example: 'A-100231',
  })
  external_account_number: string;

  @Identifier('What status requests name the process by; the account number unless given.')
  external_identifier?: string;

  @CalendarDate('First day that the old system has not billed.')
  last_billed_to_date?: string;

  @Nested('Billing address in structured form, instead of the numbered lines.', Address)
  billing_address?: Address;

  @Text('First line of the billing address.', { max: 512 })
  billing_address1?: string;

  @Text('Postcode of the billing address.', { max: 512, format: postcode })
  billing_postcode?: string;

  @Text('Where bills are sent by e-mail.', { max: 254, format: email, nullable: true })
  billing_email?: string | null;

  @ListOf('The people on the account.', Customer)
  customers?: Customer[];
}

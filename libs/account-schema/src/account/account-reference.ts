import { Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('An identifier of the account in another system.')
export class AccountReference {
  @Text("Namespace of the identifier, from the operator's list.", {
    identifies: true,
    required: true,
    max: 50,
    example: 'old-web-portal-id',
    list: 'account_reference_namespaces',
  })
  namespace: string;

  @Text("The account's identifier in that namespace; unique to one account.", {
    identifies: true,
    required: true,
    max: 100,
    example: 'W-88-1021',
  })
  value: string;
}

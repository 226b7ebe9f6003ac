import { Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('What another system calls the account.')
export class AccountReference {
  @Text('Which system or purpose, as the operator names it.', {
    required: true,
    max: 50,
    example: 'old-web-portal-id',
  })
  namespace: string;

  @Text("The account's identifier there; no other account may have it.", {
    required: true,
    max: 100,
    example: 'W-88-1021',
  })
  value: string;
}

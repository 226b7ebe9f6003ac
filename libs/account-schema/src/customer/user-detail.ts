import { Json, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('A fact about a person, in a namespace that the operator has registered.')
export class UserDetail {
  @Text("Namespace of the fact, from the operator's list.", {
    required: true,
    list: 'user_detail_namespaces',
    example: 'external_user_id',
  })
  namespace: string;

  @Json('Value of the fact, of the type registered for the namespace.', { required: true, example: 'U-17' })
  value: unknown;
}

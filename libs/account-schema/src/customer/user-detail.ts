import { Json, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('A fact about a person that the operator has registered a place for.')
export class UserDetail {
  @Text('The registered place.', {
    required: true,
    list: 'user_detail_namespaces',
    example: 'external_user_id',
  })
  namespace: string;

  @Json('The fact, of the type that belongs there.', { required: true, example: 'U-17' })
  value: unknown;
}

import { Json, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('An additional fact for which the contract has no field.')
export class MetadataItem {
  @Text('Key of the fact, unique in its list.', {
    identifies: true,
    required: true,
    max: 1024,
    example: 'source_segment',
  })
  key: string;

  @Json('Value of the fact, any JSON.', { required: true, example: { band: 3 } }) value: unknown;
}

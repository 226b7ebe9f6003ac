import { Json, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('A fact that the contract has no field for.')
export class MetadataItem {
  @Text('What the fact is called; each name stands once.', {
    required: true,
    max: 1024,
    example: 'source_segment',
  })
  key: string;

  @Json('The fact, as any JSON.', { required: true, example: { band: 3 } })
  value: unknown;
}

import { deliveryPointIdentifier } from '../formats/codes';
import { Dictionary, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('A postal address of any country.')
export class Address {
  @Text('Country, by its two-letter ISO 3166-1 code.', { required: true, max: 2, example: 'GB' })
  country: string;

  @Text('Street and house, in free form; not together with `structured_street_address`.', {
    example: '4 Weir Cottages, Mill Lane',
  })
  street_address?: string;

  @Dictionary('Street and house as the country takes them apart; not together with `street_address`.', {
    nullable: true,
  })
  structured_street_address?: Record<string, unknown> | null;

  @Text('Part of a town, or a village.', { max: 512 })
  dependent_locality?: string;

  @Text('Town or city.', { max: 512, example: 'Larkby' })
  locality?: string;

  @Text('State, region or nation.', { max: 512 })
  administrative_area?: string;

  @Text('Postcode, in the format of the address’s country.', { max: 512, example: 'NN99 9ZZ' })
  postal_code?: string;

  @Text('Code for sorting bulk mail.', { max: 512 })
  sorting_code?: string;

  @Text('National identifier of the delivery point.', { max: 11, format: deliveryPointIdentifier })
  delivery_point_identifier?: string;

  @Text('Who receives mail there.', { deprecated: true })
  name?: string;

  @Text('Organisation at the address.', { deprecated: true })
  organization?: string;
}

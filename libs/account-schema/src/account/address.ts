import { deliveryPointIdentifier } from '../formats/codes';
import { Dictionary, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('A postal address in any country.')
export class Address {
  @Text('Country, by its two-letter ISO 3166-1 code.', { required: true, max: 2, example: 'GB' })
  country: string;

  @Text('House and street as free text; leave out if `structured_street_address` is sent.', {
    default: '',
    example: '4 Weir Cottages, Mill Lane',
  })
  street_address?: string;

  @Dictionary(
    "House and street as components of the country's format; leave out if `street_address` is sent.",
    { nullable: true },
  )
  structured_street_address?: Record<string, unknown> | null;

  @Text('Village, or part of a town.', { max: 512, default: '' }) dependent_locality?: string;
  @Text('Town or city.', { max: 512, default: '', example: 'Larkby' }) locality?: string;

  @Text('Region, state or nation within the country.', { max: 512, default: '' })
  administrative_area?: string;

  @Text("Postcode, in the format of the address's own country.", {
    max: 512,
    default: '',
    example: 'NN99 9ZZ',
  })
  postal_code?: string;

  @Text('Sorting code for bulk mail.', { max: 512, default: '' }) sorting_code?: string;

  @Text('Identifier of the address in the national address register.', {
    max: 11,
    format: deliveryPointIdentifier,
  })
  delivery_point_identifier?: string;

  @Text('Recipient of mail at the address.', { default: '', deprecated: true }) name?: string;
  @Text('Organisation at the address.', { default: '', deprecated: true }) organization?: string;
}

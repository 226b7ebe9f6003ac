import { MetadataItem } from '../account/metadata-item';
import { deliveryPointIdentifier } from '../formats/codes';
import { postcode } from '../formats/postcode';
import { CalendarDate, Flag, ListOf, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';
import { anyMeterPoint, type MeterPoint } from './meter-point-union';
import { PropertyAdministrator } from './property-administrator';

@About('A property that is supplied, and the meter points there.')
export class SupplyAddress {
  @Text('First line of the address.', { required: true, max: 512, example: '4 Weir Cottages' })
  supply_address1: string;

  @Text('Second line.', { max: 512, example: 'Mill Lane' })
  supply_address2?: string;

  @Text('Third line.', { max: 512 })
  supply_address3?: string;

  @Text('Fourth line.', { max: 512 })
  supply_address4?: string;

  @Text('Fifth line.', { max: 512 })
  supply_address5?: string;

  @Text('Postcode.', { required: true, max: 10, format: postcode })
  supply_postcode: string;

  @Text("The address's identifier in the national register.", { max: 11, format: deliveryPointIdentifier })
  supply_delivery_point_identifier?: string;

  @Text('Name that tells it from the other properties.', { max: 255, example: 'Bakery' })
  label?: string;

  @Text("The property's identifier in the supplier's system; a payload has each once.", {
    max: 255,
    example: 'PROP-4471',
  })
  property_external_identifier?: string;

  @CalendarDate('First day on which the customer was supplied here.', {
    required: true,
    example: '2021-03-01',
  })
  customer_at_supply_address_from_date: string;

  @CalendarDate('Day on which the customer moved out.', { nullable: true })
  customer_at_supply_address_to_date?: string | null;

  @CalendarDate("Since when it is the customer's main home.")
  primary_place_of_residence_since?: string;

  @Flag('Whether the account holder lets the property.', { default: false })
  is_landlord?: boolean;

  @ListOf('Its landlord or developer; one at most.', PropertyAdministrator)
  property_administrators?: PropertyAdministrator[];

  @ListOf('The meter points there.', anyMeterPoint, { required: true })
  meter_points: MeterPoint[];

  @ListOf('Facts that the contract has no field for, by name.', MetadataItem)
  metadata?: MetadataItem[];
}

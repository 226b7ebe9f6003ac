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

  @Text('Second line of the address.', { max: 512, example: 'Mill Lane' }) supply_address2?: string;
  @Text('Third line of the address.', { max: 512 }) supply_address3?: string;
  @Text('Fourth line of the address.', { max: 512 }) supply_address4?: string;
  @Text('Fifth line of the address.', { max: 512 }) supply_address5?: string;
  @Text('Postcode.', { required: true, max: 10, format: postcode }) supply_postcode: string;

  @Text('Identifier of the address in the national address register.', {
    max: 11,
    format: deliveryPointIdentifier,
  })
  supply_delivery_point_identifier?: string;

  @Text('Label that distinguishes the property from the others.', { max: 255, example: 'Bakery' })
  label?: string;

  @Text("Identifier of the property in the supplier's system, unique in a payload.", {
    identifies: true,
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

  @CalendarDate("Day since which the property is the customer's main home.")
  primary_place_of_residence_since?: string;

  @Flag('Whether the account holder lets the property.', { default: false }) is_landlord?: boolean;

  @ListOf('Landlord or developer of the property; at most one.', PropertyAdministrator)
  property_administrators?: PropertyAdministrator[];

  @ListOf('Meter points at the address.', anyMeterPoint, { required: true }) meter_points: MeterPoint[];

  @ListOf('Additional facts by key, for which the contract has no field.', MetadataItem)
  metadata?: MetadataItem[];
}

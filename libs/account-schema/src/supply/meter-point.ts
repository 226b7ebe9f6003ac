import { CalendarDate, Flag, ListOf, Nested, Text } from '../vocabulary/decorators';
import { SmartInterest, SmartSiteVisit } from './smart-metering';
import { TaxExemption } from './tax-exemption';

/** The fields that electricity and gas meter points share. */
export abstract class AnyMeterPoint {
  @CalendarDate('First day of supply.', { required: true, example: '2021-03-01' }) supply_start_date: string;
  @CalendarDate('Day on which supply ended or will end.', { nullable: true }) supply_end_date?: string | null;

  @CalendarDate("First day that has not been billed at the meter point; overrides the account's.", {
    example: '2024-06-01',
  })
  last_billed_to_date?: string;

  @Text('Market participant identifier of the supplier.', {
    identifies: true,
    required: true,
    max: 4,
    tier: 'gbr',
    example: 'XSUP',
  })
  mpid: string;

  @Flag('Whether a reading is in dispute; such a meter point cannot be imported.', {
    nullable: true,
    tier: 'gbr',
  })
  dr_in_progress?: boolean | null;

  @Flag('Whether an erroneous transfer is being undone; such a meter point cannot be imported.', {
    nullable: true,
    tier: 'gbr',
  })
  et_in_progress?: boolean | null;

  @ListOf('Exemptions from the climate change levy; for business accounts.', TaxExemption, { tier: 'gbr' })
  ccl_exemptions?: TaxExemption[];

  @ListOf('Exemptions from VAT; for business accounts.', TaxExemption, { tier: 'gbr' })
  vat_exemptions?: TaxExemption[];

  @Nested('Whether the customer wants a smart meter.', SmartInterest, { tier: 'gbr' })
  smart_refusal_interest?: SmartInterest;

  @ListOf('Visits about a smart meter.', SmartSiteVisit, { tier: 'gbr' }) smart_site_visit?: SmartSiteVisit[];
}

import { CalendarDate, Choice, Json, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

const REFUSAL_REASONS = [
  'DO_NOT_OWN_HOME',
  'TECHNOLOGY_SCEPTICAL',
  'WORRIED_SECURITY',
  'WORRIED_HEALTH_SAFETY',
  'NEGATIVE_PUBLICITY',
  'WORRIED_ABOUT_USAGE_COST',
  'ALREADY_HAS_SMART_METER',
  'HOUSE_MOVE_IMMINENT',
  'SWITCH_IMMINENT',
  'MORE_INFORMATION_REQUIRED',
  'IS_LANDLORD',
  'CANNOT_SEE_BENEFIT',
  'WAIT_UNTIL_IT_IS_COMPULSORY',
  'VULNERABILITY',
  'WORRIED_ABOUT_SMART_METERS',
  'WORRIED_ABOUT_INSTALLATION',
  'PROPERTY_NOT_OCCUPIED',
  'CANNOT_ATTEND_APPOINTMENT',
];

const WORK_CATEGORIES = [
  'IHD_INSTALL',
  'NEW_CONNECTION',
  'REMOVE',
  'EXCHANGE',
  'OTHER',
  'MOVE',
  'CONFIRM_METER_DETAILS',
  'ENERGISE',
  'DE_ENERGISE',
  'INVESTIGATE_FAULT',
];

@About("The customer's answer to the offer of a smart meter.")
export class SmartInterest {
  @CalendarDate('When the customer answered.', { required: true, tier: 'gbr' }) date: string;

  @Choice('The answer.', ['NOT_INTERESTED', 'INTERESTED', 'NOT_AT_THE_MOMENT'], {
    required: true,
    tier: 'gbr',
  })
  type: string;

  @Choice('Reason for a refusal; left out if the customer is interested.', REFUSAL_REASONS, { tier: 'gbr' })
  refusal_reason?: string;

  @Choice('How the customer answered.', ['WEBSITE', 'EMAIL', 'OTHER'], { tier: 'gbr' }) source?: string;
}

@About('A visit to the property about a smart meter.')
export class SmartSiteVisit {
  @CalendarDate('When the visit took place.', { required: true, tier: 'gbr' }) date: string;

  @Text("Metering agent, from the operator's list.", {
    required: true,
    list: 'metering_agents',
    tier: 'gbr',
    example: 'GENERIC_AGENT',
  })
  metering_agent: string;

  @Text('Reference of the visit.', {
    identifies: true,
    required: true,
    max: 1024,
    tier: 'gbr',
    example: 'V-2201',
  })
  reference_number: string;

  @Choice('Outcome of the visit.', ['CANCELLED', 'ABORTED', 'SUCCESSFUL'], { required: true, tier: 'gbr' })
  status: string;

  @Choice('Category of the work done.', WORK_CATEGORIES, { required: true, tier: 'gbr' })
  work_category: string;

  @Text('Remarks.', { max: 2048, tier: 'gbr' }) appointment_notes?: string;
  @Json('Additional data.', { default: {}, tier: 'gbr' }) additional_data?: unknown;
}

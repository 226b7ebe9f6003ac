import {
  CalendarDate,
  Choice,
  Code,
  Decimal,
  Flag,
  Integer,
  Json,
  Nested,
  Text,
} from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

/** The published measurement classes. */
export const MEASUREMENT_CLASSES = ['A', 'B', 'C', 'D', 'E', 'F', 'G'] as const;

@About('A capacity agreed for a period.', { tier: 'gbr' })
export class CapacityValue {
  @CalendarDate('First day of the period.', { required: true }) effective_from_date: string;
  @CalendarDate('Last day of the period.') effective_to_date?: string;
  @Decimal('Capacity in kVA.', { required: true, whole: 5, places: 2, example: '69.00' }) value: string;
}

const ENERGISATION_STATUSES = ['E', 'D'] as const;

@About('The settlement configuration of an electricity meter point for a period.', { tier: 'gbr' })
export class ConfigurationPeriod {
  @CalendarDate('First day of the period.', { required: true }) effective_from_date: string;
  @CalendarDate('First day of the next period; left out of the latest period.') effective_to_date?: string;
  @Choice('Energised (E) or not (D).', ENERGISATION_STATUSES)
  energisation_status?: (typeof ENERGISATION_STATUSES)[number];
  @Code('Grid supply point group.', { maxLength: 2 }) gsp?: string;
  @Code('Line loss factor class.', { maxLength: 3 }) llf?: string;
  @Choice('Measurement class.', MEASUREMENT_CLASSES) measurement_class?: (typeof MEASUREMENT_CLASSES)[number];
  @Integer('Meter timeswitch code.') mtc?: number;
  @Integer('Profile class.') profile_class?: number;
  @Code('Standard settlement configuration.', { maxLength: 4 }) ssc?: string;
}

@About('An estimated annual consumption of electricity.', { tier: 'gbr' })
export class EacEntry {
  @CalendarDate('First day that the estimate applies to.', { required: true }) effective_from: string;
  @Code('Time pattern regime.', { required: true, maxLength: 16, example: '00001' }) tpr: string;

  @Decimal('Kilowatt hours per year.', { required: true, whole: 8, places: 2, example: '2610.00' })
  consumption: string;

  @Text('Source of the estimate, such as a data flow.', { maxLength: 255, example: 'D0019' }) source?: string;
}

@About('An annual quantity of gas.', { tier: 'gbr' })
export class AqEntry {
  @CalendarDate('First day that the quantity applies to.', { required: true }) effective_from: string;

  @CalendarDate('Last day that the quantity applies to; null for the current one.', { nullable: true })
  effective_to?: string | null;

  @Decimal('Kilowatt hours per year.', { required: true, whole: 8, places: 2, example: '11200' })
  consumption: string;

  @Text('Source of the quantity.', { maxLength: 255 }) source?: string;
}

@About('A contract with an agent in the market.', { tier: 'gbr' })
export class AgentContract {
  @Code("The agent's identifier in the market.", {
    nullable: true,
    minLength: 4,
    maxLength: 4,
    example: 'XAGT',
  })
  agent_mpid?: string | null;

  @Code('Reference of the contract.', { maxLength: 10 }) contract_reference?: string;
  @Code('Reference of the service.', { maxLength: 4 }) service_reference?: string;
  @Code('Reference of the service level.', { maxLength: 4 }) service_level_reference?: string;
  @Flag('Whether the contract is for automatically read meters.') is_amr?: boolean;
  @Flag('Whether the customer appointed the agent.') is_customer_appointed?: boolean;
}

@About('The agents of an electricity meter point.', { tier: 'gbr' })
export class MeterPointAgents {
  @Nested('Contract with the data aggregator.', AgentContract, { nullable: true })
  da_contract?: AgentContract | null;

  @Nested('Contract with the data collector.', AgentContract, { nullable: true })
  dc_contract?: AgentContract | null;

  @Nested('Contract with the meter operator.', AgentContract, { nullable: true })
  mop_contract?: AgentContract | null;
}

@About('A share of the supply that is exempt from a tax for a period.', { tier: 'gbr' })
export class TaxExemption {
  @CalendarDate('First day of the exemption.', { required: true }) effective_from: string;
  @CalendarDate('Day on which the exemption ends; must be after its start.') effective_to?: string;

  @Decimal('The exempt share, where 1.0 is the whole supply.', {
    required: true,
    whole: 1,
    places: 2,
    example: '0.5',
  })
  rate: string;
}

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
] as const;

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
] as const;

const OFFER_ANSWERS = ['NOT_INTERESTED', 'INTERESTED', 'NOT_AT_THE_MOMENT'] as const;
const ANSWER_SOURCES = ['WEBSITE', 'EMAIL', 'OTHER'] as const;

@About("The customer's answer to the offer of a smart meter.", { tier: 'gbr' })
export class SmartInterest {
  @CalendarDate('When the customer answered.', { required: true }) date: string;

  @Choice('The answer.', OFFER_ANSWERS, { required: true }) type: (typeof OFFER_ANSWERS)[number];

  @Choice('Reason for a refusal; left out if the customer is interested.', REFUSAL_REASONS)
  refusal_reason?: (typeof REFUSAL_REASONS)[number];

  @Choice('How the customer answered.', ANSWER_SOURCES) source?: (typeof ANSWER_SOURCES)[number];
}

const VISIT_OUTCOMES = ['CANCELLED', 'ABORTED', 'SUCCESSFUL'] as const;

@About('A visit to the property about a smart meter.', { tier: 'gbr' })
export class SmartSiteVisit {
  @CalendarDate('When the visit took place.', { required: true }) date: string;

  @Text("Metering agent, from the operator's list.", {
    required: true,
    list: 'metering_agents',
    example: 'GENERIC_AGENT',
  })
  metering_agent: string;

  @Code('Reference of the visit.', { required: true, maxLength: 1024, example: 'V-2201' })
  reference_number: string;

  @Choice('Outcome of the visit.', VISIT_OUTCOMES, { required: true })
  status: (typeof VISIT_OUTCOMES)[number];
  @Choice('Category of the work done.', WORK_CATEGORIES, { required: true })
  work_category: (typeof WORK_CATEGORIES)[number];
  @Text('Remarks.', { maxLength: 2048 }) appointment_notes?: string;
  @Json('Additional data.', { default: {} }) additional_data?: unknown;
}

import { Day, Decimal, ListOf, Moment, OneOf, Required, Text, Whole, YesOrNo } from './fields';

export class AgreementDto {
  @Required(128) tariff_code: string;
  @Day() effective_from: string;
  @Day() effective_to?: string;
  @Moment() agreed_at?: string;
}

export class RegisterDto {
  @Required(16) register_id: string;
  @Text(8) tpr?: string;
  @Whole() number_of_digits?: number;
  @YesOrNo() is_settlement?: boolean;
  @Day() last_billed_to_date?: string;
}

export class ReadingDto {
  @Text(16) register_id?: string;
  @Day() reading_date: string;
  @OneOf('SMART', 'CUSTOMER', 'ROUTINE', 'ESTIMATE') reading_type?: string;
  @Decimal() reading_value: string;
  @YesOrNo() billed?: boolean;
  @Text(32) validation_status?: string;
}

export class MeterDto {
  @Required(64) meter_serial_number: string;
  @Day() installed_on?: string;
  @OneOf('SMETS1', 'SMETS2') smart_type?: string;
  @Day() smart_commissioned_on?: string;
  @Text(64) smart_device_id?: string;
  @Whole() gas_number_of_digits?: number;
  @Text(8) units_of_measure?: string;
  @Day() last_billed_to_date?: string;
  @ListOf(() => RegisterDto) registers?: RegisterDto[];
  @ListOf(() => ReadingDto) transfer_readings?: ReadingDto[];
  @ListOf(() => ReadingDto) reading_history?: ReadingDto[];
}

export class ConsumptionDto {
  @Day() effective_from: string;
  @Day() effective_to?: string;
  @Text(8) tpr?: string;
  @Decimal() consumption: string;
  @Text(64) source?: string;
}

export class MeterPointDto {
  @OneOf('ELECTRICITY', 'GAS') supply_type: string;
  @Required(32) identifier: string;
  @Text(8) mpid?: string;
  @Text(8) shipper_mpid?: string;
  @Day() supply_start_date: string;
  @Day() supply_end_date?: string;
  @Text(2) measurement_class?: string;
  @Whole() profile_class?: number;
  @Text(8) ssc?: string;
  @Text(4) ldz?: string;
  @YesOrNo() et_in_progress?: boolean;
  @YesOrNo() dr_in_progress?: boolean;
  @Day() last_billed_to_date?: string;
  @ListOf(() => AgreementDto) agreements?: AgreementDto[];
  @ListOf(() => MeterDto) meters?: MeterDto[];
  @ListOf(() => ConsumptionDto) eac_history?: ConsumptionDto[];
  @ListOf(() => ConsumptionDto) aq_history?: ConsumptionDto[];
}

export class SupplyAddressDto {
  @Text() supply_address1?: string;
  @Text() supply_address2?: string;
  @Text() supply_address3?: string;
  @Text(16) supply_postcode?: string;
  @Day() customer_at_supply_address_from_date?: string;
  @Text(128) property_external_identifier?: string;
  @ListOf(() => MeterPointDto) meter_points: MeterPointDto[];
}

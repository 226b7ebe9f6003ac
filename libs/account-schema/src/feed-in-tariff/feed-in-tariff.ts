import { Choice, ListOf, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';
import { FitInstallation } from './fit-installation';
import { FitMeter } from './fit-meter';

@About('Generation under the British feed-in tariff and its payment.')
export class FeedInTariff {
  @ListOf('All installations of one generator.', FitInstallation, {
    required: true,
    minItems: 1,
    tier: 'gbr',
  })
  installations: FitInstallation[];

  @ListOf('Meters of the installations; listed separately because installations may share one.', FitMeter, {
    required: true,
    minItems: 1,
    tier: 'gbr',
  })
  meters: FitMeter[];

  @Choice('How payments are made to the generator.', ['BACS', 'CHEQUE', 'CHAPS', 'FOREIGN_CHAPS'], {
    required: true,
    tier: 'gbr',
  })
  payment_method: string;

  @Text("Payment vendor, from the operator's list; required for BACS.", {
    list: 'payment_vendors',
    tier: 'gbr',
  })
  vendor_name?: string;

  @Text("The vendor's reference of the mandate; required for BACS.", {
    identifies: true,
    max: 512,
    tier: 'gbr',
  })
  instruction_reference?: string;

  @Text('VAT number, if VAT is due on exports.', { identifies: true, tier: 'gbr' }) vat_number?: string;
}

import { Choice, ListOf, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';
import { FitInstallation } from './fit-installation';
import { FitMeter } from './fit-meter';

@About('What the customer generates under the British feed-in tariff, and how it is paid for.')
export class FeedInTariff {
  @ListOf('Installations: all those of one generator together.', FitInstallation, {
    required: true,
    minItems: 1,
    tier: 'gbr',
  })
  installations: FitInstallation[];

  @ListOf('Their meters, apart because several installations may share one.', FitMeter, {
    required: true,
    minItems: 1,
    tier: 'gbr',
  })
  meters: FitMeter[];

  @Choice('How the generator is paid.', ['BACS', 'CHEQUE', 'CHAPS', 'FOREIGN_CHAPS'], {
    required: true,
    tier: 'gbr',
  })
  payment_method: string;

  @Text('Payment vendor, as the operator lists it; BACS needs one.', { list: 'payment_vendors', tier: 'gbr' })
  vendor_name?: string;

  @Text("The vendor's reference for the mandate; BACS needs one.", { max: 512, tier: 'gbr' })
  instruction_reference?: string;

  @Text('VAT number, where VAT is due on what is exported.', { tier: 'gbr' })
  vat_number?: string;
}

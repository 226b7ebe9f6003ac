import type { Page } from '@portage/operators';
import { SupplierSettingsView } from '@portage/operators';
import {
  IMPORT_SUPPLIER_STATUSES,
  type ImportSupplierStatus,
  settingsClass,
  type SupplierSettingValues,
} from '@portage/tenants';
import { ChoiceField, FlagField, IntegerField, NamedValuesField, TextField } from '../../http/fields';

/** A page of suppliers. */
export type SupplierPage = Page<SupplierSettingsView>;

/** The body that changes the status of a supplier. */
export class SupplierStatusRequest {
  @ChoiceField(IMPORT_SUPPLIER_STATUSES, { required: true })
  status: ImportSupplierStatus;
}

const OptionalSettings = settingsClass((setting) => {
  const { type, description } = setting;
  if (type === 'flag') return FlagField({ description });
  if (type === 'number')
    return IntegerField({ min: setting.min, max: setting.max, description, nullable: true });
  return TextField({ max: 512, description, ...(setting.choices && { choices: setting.choices }) });
}) as new () => Partial<SupplierSettingValues>;

/** Settings of a supplier, whose values the use case validates. Absent ones change nothing. */
export class SupplierSettingsRequest extends OptionalSettings {
  @NamedValuesField({
    description: 'Settings of the account rules by name. In a change, null restores the default.',
  })
  rule_settings?: string[];
}

/** The settings that a client sends. In a change, null restores the default of a rule's setting. */
export type SupplierSettingsChange = Omit<SupplierSettingsRequest, 'rule_settings'> & {
  rule_settings?: Record<string, string | null>;
};

/** The body that creates a supplier. */
export class CreateSupplierRequest extends SupplierSettingsRequest {
  @TextField({ required: true, max: 128 })
  code: string;

  @TextField({ required: true })
  organisation: string;
}

import { NO_REFERENCES, type References } from './references';
import {
  INSTANCE_DEFAULTS,
  type InstanceSettings,
  SUPPLIER_DEFAULTS,
  type SupplierSettings,
} from './settings';

/** What rules need to know of the operator; whatever is left out has its default. */
export interface RuleSettings {
  readonly supplier?: Partial<SupplierSettings>;
  readonly instance?: Partial<InstanceSettings>;
  readonly references?: References;
}

export interface CompleteRuleSettings {
  readonly supplier: SupplierSettings;
  readonly instance: InstanceSettings;
  readonly references: References;
}

const DEFAULTS: CompleteRuleSettings = {
  supplier: SUPPLIER_DEFAULTS,
  instance: INSTANCE_DEFAULTS,
  references: NO_REFERENCES,
};

export function withDefaults(settings: RuleSettings | undefined): CompleteRuleSettings {
  if (!settings) return DEFAULTS;
  return {
    supplier: settings.supplier ? { ...SUPPLIER_DEFAULTS, ...settings.supplier } : SUPPLIER_DEFAULTS,
    instance: settings.instance ? { ...INSTANCE_DEFAULTS, ...settings.instance } : INSTANCE_DEFAULTS,
    references: settings.references ?? NO_REFERENCES,
  };
}

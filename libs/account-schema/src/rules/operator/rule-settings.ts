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

const completed = new WeakMap<RuleSettings, CompleteRuleSettings>();

/** Completes settings, once an object: they are the same for account after account. */
export function withDefaults(settings: RuleSettings | undefined): CompleteRuleSettings {
  if (!settings) return DEFAULTS;
  let complete = completed.get(settings);
  if (!complete) {
    complete = {
      supplier: { ...SUPPLIER_DEFAULTS, ...settings.supplier },
      instance: { ...INSTANCE_DEFAULTS, ...settings.instance },
      references: settings.references ?? NO_REFERENCES,
    };
    completed.set(settings, complete);
  }
  return complete;
}

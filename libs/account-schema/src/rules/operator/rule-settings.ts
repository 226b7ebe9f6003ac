import { NO_REFERENCES, type References } from './references';
import {
  INSTANCE_DEFAULTS,
  type InstanceSettings,
  SUPPLIER_DEFAULTS,
  type SupplierSettings,
} from './settings';

/** The operator's configuration that rules use. Omitted parts have their defaults. */
export interface RuleSettings {
  readonly supplier?: Partial<SupplierSettings>;
  readonly instance?: Partial<InstanceSettings>;
  readonly references?: References;
}

/** The operator's configuration with all defaults filled in. */
export interface CompleteRuleSettings {
  readonly supplier: SupplierSettings;
  readonly instance: InstanceSettings;
  readonly references: References;
}

/** Completes settings with defaults. Cached by object identity, because the same object is used for many accounts. */
class DefaultsFiller<Settings extends object> {
  private readonly cache = new WeakMap<Partial<Settings>, Settings>();

  constructor(private readonly defaults: Settings) {}

  complete(settings: Partial<Settings> | undefined): Settings {
    if (!settings) return this.defaults;
    let complete = this.cache.get(settings);
    if (!complete) {
      complete = { ...this.defaults, ...settings };
      this.cache.set(settings, complete);
    }
    return complete;
  }
}

const supplierSettings = new DefaultsFiller(SUPPLIER_DEFAULTS);
const instanceSettings = new DefaultsFiller(INSTANCE_DEFAULTS);

/** Completes the operator's configuration with the defaults. */
export function withDefaults({
  supplier,
  instance,
  references = NO_REFERENCES,
}: RuleSettings = {}): CompleteRuleSettings {
  return {
    supplier: supplierSettings.complete(supplier),
    instance: instanceSettings.complete(instance),
    references,
  };
}

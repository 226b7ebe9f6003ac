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

/** Settings with their defaults: made once an object, which comes with account after account. */
class Completed<Settings extends object> {
  private readonly known = new WeakMap<Partial<Settings>, Settings>();

  constructor(private readonly defaults: Settings) {}

  of(settings: Partial<Settings> | undefined): Settings {
    if (!settings) return this.defaults;
    let complete = this.known.get(settings);
    if (!complete) {
      complete = { ...this.defaults, ...settings };
      this.known.set(settings, complete);
    }
    return complete;
  }
}

const suppliers = new Completed(SUPPLIER_DEFAULTS);
const instances = new Completed(INSTANCE_DEFAULTS);

export function withDefaults({
  supplier,
  instance,
  references = NO_REFERENCES,
}: RuleSettings = {}): CompleteRuleSettings {
  return { supplier: suppliers.of(supplier), instance: instances.of(instance), references };
}

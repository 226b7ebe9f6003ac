import { Inject, Injectable } from '@nestjs/common';
import type { SchemaContext } from '@portage/account-schema';
import { type Clock, CLOCK, CONFIG, type Config, MAX_NESTING } from '@portage/platform';
import type { RuleSettingValues } from '../suppliers/import-supplier.entity';
import type { ValidationProfile } from '../suppliers/import-supplier';
import { RuleSettingsDirectory } from './rule-settings-directory';

/** The settings of a supplier that decide how its bodies are validated. */
export interface ValidationSettings {
  profile: ValidationProfile;
  region: string;
  timeZone: string;
  rejectUndocumentedFields: boolean;
  ruleSettings: RuleSettingValues;
}

/** Settings for bodies whose supplier is unknown. Their fields are validated, too. */
const WITHOUT_SUPPLIER: ValidationSettings = {
  profile: 'core',
  region: 'GB',
  timeZone: 'UTC',
  rejectUndocumentedFields: false,
  ruleSettings: {},
};

/** Builds the context in which bodies are validated: the supplier's settings, the operator's rules, the limits. */
@Injectable()
export class SchemaContexts {
  constructor(
    private readonly ruleSettings: RuleSettingsDirectory,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @param supplier undefined for an unknown supplier */
  async build(supplier: ValidationSettings | undefined): Promise<SchemaContext> {
    const { profile, region, timeZone, rejectUndocumentedFields, ruleSettings } =
      supplier ?? WITHOUT_SUPPLIER;
    return {
      profile,
      region,
      timeZone,
      rejectUndocumentedFields,
      now: this.clock.now(),
      rules: await this.ruleSettings.forSupplier(ruleSettings),
      limits: {
        arrayItems: this.config.MAX_ARRAY_ITEMS,
        nesting: MAX_NESTING,
        errors: this.config.MAX_ERRORS,
      },
    };
  }
}

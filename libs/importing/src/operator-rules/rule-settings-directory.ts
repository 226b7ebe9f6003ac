import { Inject, Injectable } from '@nestjs/common';
import { type InstanceSettings, References, type RuleSettings } from '@portage/account-schema';
import { CONFIG, type Config } from '@portage/config';
import { ChangeFeed, OperatorRulesRepository } from '@portage/database';
import { InvalidatingCache } from '../invalidating-cache';

/** What the operator has set up for the account rules, at hand for every account that is checked. */
@Injectable()
export class RuleSettingsDirectory {
  private readonly lists: InvalidatingCache<'all', References>;
  private readonly instance: InvalidatingCache<'all', Partial<InstanceSettings>>;

  constructor(repository: OperatorRulesRepository, feed: ChangeFeed, @Inject(CONFIG) config: Config) {
    this.lists = new InvalidatingCache(feed, 'reference_data', config.CACHE_SECONDS, async () => {
      const stored = await repository.lists();
      return new References(Object.fromEntries(stored.map(({ list, entries }) => [list, entries])));
    });
    this.instance = new InvalidatingCache(feed, 'installation', config.CACHE_SECONDS, async () =>
      repository.instanceSettings(),
    );
  }

  /** The settings for accounts of one supplier. */
  async forSupplier(supplier: RuleSettings['supplier']): Promise<RuleSettings> {
    const [instance, references] = await Promise.all([this.instance.get('all'), this.lists.get('all')]);
    return { instance, references, ...(supplier ? { supplier } : {}) };
  }
}

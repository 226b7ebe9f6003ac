import { Inject, Injectable } from '@nestjs/common';
import { type InstanceSettings, References, type RuleSettings } from '@portage/account-schema';
import { CACHE_LIFETIME_MS, ChangeFeed, InvalidatingCache } from '@portage/platform';
import { OperatorRulesRepository } from './operator-rules.repository';

/** The reference lists and settings of the account rules, from a cache, for every account that is validated. */
@Injectable()
export class RuleSettingsDirectory {
  private readonly lists: InvalidatingCache<'all', References>;
  private readonly instance: InvalidatingCache<'all', Partial<InstanceSettings>>;

  constructor(
    repository: OperatorRulesRepository,
    feed: ChangeFeed,
    @Inject(CACHE_LIFETIME_MS) cacheLifetimeMs: number,
  ) {
    this.lists = new InvalidatingCache(feed, 'reference_data', cacheLifetimeMs, async () => {
      const stored = await repository.lists();
      return new References(Object.fromEntries(stored.map(({ list, entries }) => [list, entries])));
    });
    this.instance = new InvalidatingCache(feed, 'installation', cacheLifetimeMs, async () =>
      repository.instanceSettings(),
    );
  }

  /** The reference lists in force. */
  async references(): Promise<References> {
    return this.lists.get('all');
  }

  /** The settings that apply to the accounts of one supplier. */
  async forSupplier(supplier: RuleSettings['supplier']): Promise<RuleSettings> {
    const [instance, references] = await Promise.all([this.instance.get('all'), this.lists.get('all')]);
    return { instance, references, ...(supplier ? { supplier } : {}) };
  }
}

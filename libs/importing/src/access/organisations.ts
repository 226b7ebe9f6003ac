import { Inject, Injectable } from '@nestjs/common';
import {
  type ApiKeyEntity,
  ApiKeyRepository,
  type OrganisationEntity,
  OrganisationRepository,
} from '@portage/database';
import type { AuditAction, AuditEntry } from '@portage/domain';
import { OPERATOR } from '../audit/operator';
import { Refusal } from '../refusal';
import { hashOfSecret, newApiKey } from './api-key-text';

/** What an operator does with organisations and their keys (DESIGN 6). */
@Injectable()
export class Organisations {
  constructor(
    private readonly organisations: OrganisationRepository,
    private readonly keys: ApiKeyRepository,
    @Inject(OPERATOR) private readonly operator: string,
  ) {}

  async create(name: string): Promise<OrganisationEntity> {
    if (!/^[^\u0000-\u001f\u007f]{1,128}$/.test(name))
      throw new Refusal('The name of an organisation has 1 to 128 characters and no control characters.');
    const created = await this.organisations.create(name, this.entry('organisation.create', name));
    if (!created) throw new Refusal(`There is an organisation "${name}" already.`);
    return created;
  }

  async list(): Promise<OrganisationEntity[]> {
    return this.organisations.list();
  }

  /** Issues a key. Its text is returned once and never stored. */
  async issueApiKey(organisation: string): Promise<string> {
    const owner = await this.organisations.findByName(organisation);
    if (!owner)
      throw new Refusal(`There is no organisation "${organisation}". List them with: organisation list`);
    const { text, prefix } = newApiKey();
    const entry = { ...this.entry('api-key.issue', prefix), details: { organisation } };
    await this.keys.create({ organisationId: owner.id, prefix, hash: hashOfSecret(text) }, entry);
    return text;
  }

  async listApiKeys(): Promise<{ organisation: string; key: ApiKeyEntity }[]> {
    const names = new Map((await this.organisations.list()).map(({ id, name }) => [id, name]));
    return (await this.keys.list()).map((key) => ({
      organisation: names.get(key.organisationId) ?? '',
      key,
    }));
  }

  async revokeApiKey(prefix: string): Promise<void> {
    if (!(await this.keys.revoke(prefix, this.entry('api-key.revoke', prefix))))
      throw new Refusal(`There is no valid API key with the prefix ${prefix}. List them with: api-key list`);
  }

  private entry(action: AuditAction, subject: string): AuditEntry {
    return { actor: this.operator, action, subject };
  }
}

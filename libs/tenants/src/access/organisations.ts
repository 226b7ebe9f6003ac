import { Injectable } from '@nestjs/common';
import { ActingOperator, type AuditAction, type AuditEntry, PortageError } from '@portage/platform';
import { readIdentifier } from '@portage/text';
import type { ApiKeyEntity } from './api-key.entity';
import { ApiKeyRepository } from './api-key.repository';
import type { OrganisationEntity } from './organisation.entity';
import { OrganisationRepository } from './organisation.repository';
import { hashOfSecret, newApiKey } from './api-key-text';

const MAX_NAME_LENGTH = 128;

/** Organisations and their API keys, as an operator manages them. Each change is recorded in the audit. */
@Injectable()
export class Organisations {
  constructor(
    private readonly organisations: OrganisationRepository,
    private readonly keys: ApiKeyRepository,
    private readonly operator: ActingOperator,
  ) {}

  /**
   * Creates an organisation.
   *
   * @throws PortageError `operation_refused` if the name is not valid or is taken
   */
  async create(givenName: string): Promise<OrganisationEntity> {
    const name = readIdentifier(givenName);
    if (name === undefined || Array.from(name).length > MAX_NAME_LENGTH)
      throw new PortageError(
        'operation_refused',
        `The name of an organisation must have 1 to ${MAX_NAME_LENGTH} characters, none of them a control, bidirectional or zero-width character.`,
      );
    const created = await this.organisations.create(name, this.auditEntry('organisation.create', name));
    if (!created) throw new PortageError('operation_refused', `The organisation "${name}" exists already.`);
    return created;
  }

  /** All organisations, in the order of creation. */
  async list(): Promise<OrganisationEntity[]> {
    return this.organisations.list();
  }

  /**
   * Issues an API key. Its text is returned once and never stored.
   *
   * @throws PortageError `operation_refused` if there is no such organisation
   */
  async issueApiKey(organisation: string): Promise<string> {
    const owner = await this.organisations.findByName(organisation);
    if (!owner)
      throw new PortageError(
        'operation_refused',
        `There is no organisation "${organisation}". List them with: organisation list`,
      );
    const { text, prefix } = newApiKey();
    const entry = { ...this.auditEntry('api-key.issue', prefix), details: { organisation } };
    await this.keys.create({ organisationId: owner.id, prefix, hash: hashOfSecret(text) }, entry);
    return text;
  }

  /** All keys, revoked ones included, with the name of their organisation. */
  async listApiKeys(): Promise<{ organisation: string; key: ApiKeyEntity }[]> {
    const names = new Map((await this.organisations.list()).map(({ id, name }) => [id, name]));
    return (await this.keys.list()).map((key) => ({
      organisation: names.get(key.organisationId) ?? '',
      key,
    }));
  }

  /**
   * Revokes a key and, with it, all of its tokens.
   *
   * @throws PortageError `operation_refused` if no valid key has the prefix
   */
  async revokeApiKey(prefix: string): Promise<void> {
    if (!(await this.keys.revoke(prefix, this.auditEntry('api-key.revoke', prefix))))
      throw new PortageError(
        'operation_refused',
        `There is no valid API key with the prefix ${prefix}. List them with: api-key list`,
      );
  }

  private auditEntry(action: AuditAction, subject: string): AuditEntry {
    return { actor: this.operator.actor, action, subject };
  }
}

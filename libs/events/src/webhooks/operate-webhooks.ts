import { Injectable } from '@nestjs/common';
import { ActingOperator, type FieldError, PortageError } from '@portage/platform';
import { ImportSupplierRepository } from '@portage/tenants';
import { TestWebhook } from './test-webhook';
import { type EndpointManager, WebhookEndpoints } from './webhook-endpoints';
import type {
  WebhookAttemptView,
  WebhookEndpointView,
  WebhookEndpointWithSecret,
  WebhookTestResult,
} from './webhooks.dto';

/** A new endpoint, as a command names it. */
export interface EndpointOptions {
  url: string;
  types?: string[];
  description?: string;
}

/** Manages the webhook endpoints of all suppliers, for operators. Every error of the request is a {@link Refusal}. */
@Injectable()
export class OperateWebhooks {
  constructor(
    private readonly endpoints: WebhookEndpoints,
    private readonly tests: TestWebhook,
    private readonly suppliers: ImportSupplierRepository,
    private readonly operator: ActingOperator,
  ) {}

  private get manager(): EndpointManager {
    return { organisationId: undefined, actor: this.operator.actor };
  }

  /** @throws PortageError `operation_refused`, as all methods */
  async create(supplierCode: string, options: EndpointOptions): Promise<WebhookEndpointWithSecret> {
    const { organisationId } = await this.requireSupplier(supplierCode);
    const body = { import_supplier: supplierCode, ...options };
    return refused(this.endpoints.create({ organisationId, actor: this.manager.actor }, body));
  }

  async list(supplierCode: string): Promise<WebhookEndpointView[]> {
    const { organisationId } = await this.requireSupplier(supplierCode);
    return refused(this.endpoints.list(organisationId, supplierCode));
  }

  async show(id: string): Promise<WebhookEndpointView> {
    return refused(this.endpoints.show(this.manager, id));
  }

  /** The attempts of the last week, newest first, in pages. */
  async *listAttempts(id: string, pageRows = 500): AsyncGenerator<WebhookAttemptView[]> {
    let before: string | undefined;
    for (;;) {
      const page: WebhookAttemptView[] = await refused(
        this.endpoints.listAttempts(this.manager, id, { limit: pageRows, before }),
      );
      if (page.length > 0) yield page;
      if (page.length < pageRows) return;
      before = page.at(-1)?.id;
    }
  }

  async replay(id: string, after: string): Promise<WebhookEndpointView> {
    return refused(this.endpoints.replay(this.manager, id, after));
  }

  async enable(id: string): Promise<WebhookEndpointView> {
    return refused(this.endpoints.enable(this.manager, id));
  }

  async disable(id: string): Promise<WebhookEndpointView> {
    return refused(this.endpoints.disable(this.manager, id));
  }

  async rotateSecret(id: string): Promise<WebhookEndpointWithSecret> {
    return refused(this.endpoints.rotateSecret(this.manager, id));
  }

  async delete(id: string): Promise<void> {
    await refused(this.endpoints.delete(this.manager, id));
  }

  async test(id: string): Promise<WebhookTestResult> {
    return refused(this.tests.send(this.manager, id));
  }

  private async requireSupplier(code: string) {
    const supplier = await this.suppliers.findByCode(code);
    if (!supplier)
      throw new PortageError(
        'operation_refused',
        `There is no supplier ${code}. List them with: supplier list`,
      );
    return supplier;
  }
}

/** @throws PortageError `operation_refused` instead of the error of a request, with its details */
async function refused<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof PortageError)) throw error;
    const { errors = [] } = error.members as { errors?: FieldError[] };
    const details = errors.map(({ attr, detail }) => `${attr}: ${detail}`);
    throw new PortageError('operation_refused', details.length > 0 ? details.join('\n') : error.detail);
  }
}

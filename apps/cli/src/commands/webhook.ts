import type { INestApplicationContext } from '@nestjs/common';
import {
  type EndpointManager,
  EVENT_TYPE_NAMES,
  type EventType,
  isWebhookDescription,
  MAX_WEBHOOK_DESCRIPTION_LENGTH,
  TestWebhook,
  type WebhookAttemptView,
  WebhookEndpoints,
  type WebhookEndpointView,
} from '@portage/events';
import { ViewSuppliers } from '@portage/operators';
import { ActingOperator, PortageError } from '@portage/platform';
import { escapeForLine } from '@portage/text';
import { Command, InvalidArgumentError, Option } from 'commander';
import { command, type CommandOutput, show, withApplication } from '../command';
import { confirmText } from '../confirmation';
import { print } from '../standard-output';
import { sheet, table } from '../table';

/** Attempts that are read at a time. */
const PAGE_ROWS = 500;

interface JsonOption {
  json?: true;
}

/** Operators manage the endpoints of all organisations. */
function managerOf(app: INestApplicationContext): EndpointManager {
  return { organisationId: undefined, actor: app.get(ActingOperator).actor };
}

/** A command on one endpoint. */
function endpointCommand(
  name: string,
  description: string,
  work: (app: INestApplicationContext, id: string) => Promise<CommandOutput>,
): Command {
  return command(`${name} <id>`, description).action(async (id: string, { json }: JsonOption) =>
    show(json ?? false, async (app) => work(app, id)),
  );
}

/** `webhook create`, `list`, `show`, `attempts`, `verify`, `test`, `replay`, `enable`, `disable`, `rotate-secret` and `delete`. */
export function webhookCommands(): Command {
  const types = new Option('--types <type...>', 'the types of events that are sent').choices(
    EVENT_TYPE_NAMES,
  );
  return new Command('webhook')
    .description('Webhook endpoints, to which the events of suppliers are sent.')
    .addCommand(
      command('create <url>', 'Create an endpoint. Its secret is shown once.')
        .requiredOption('--supplier <code>', 'the supplier whose events are sent')
        .addOption(types)
        .option('--description <text>', 'what the endpoint is for', parseDescription)
        .action(createEndpoint),
    )
    .addCommand(
      command('list', "List a supplier's endpoints.")
        .requiredOption('--supplier <code>', 'the supplier of the endpoints')
        .action(listEndpoints),
    )
    .addCommand(
      endpointCommand('show', 'Show an endpoint.', async (app, id) => {
        const endpoint = await app.get(WebhookEndpoints).show(managerOf(app), id);
        return { json: endpoint, text: sheet({ ...endpoint }) };
      }),
    )
    .addCommand(
      command('attempts <id>', 'List the attempts of the last week to deliver events, newest first.')
        .option('--limit <count>', 'at most this many attempts')
        .action(listAttempts),
    )
    .addCommand(
      endpointCommand('verify', 'Send a challenge, which the receiver returns.', async (app, id) => {
        const result = await app.get(TestWebhook).verify(managerOf(app), id);
        const { verified, error, duration_ms } = result;
        return {
          json: result,
          text: verified
            ? `The receiver has returned the challenge in ${duration_ms} ms. Events are delivered from now on.`
            : `Not verified. ${error?.detail ?? ''}`,
        };
      }),
    )
    .addCommand(
      endpointCommand('test', 'Send a test event to an endpoint.', async (app, id) => {
        const result = await app.get(TestWebhook).send(managerOf(app), id);
        const { delivered, status, error, duration_ms } = result;
        const answer = status === null ? (error?.detail ?? '') : `The receiver answered with ${status}.`;
        return {
          json: result,
          text: `${delivered ? 'Delivered' : 'Not delivered'} in ${duration_ms} ms. ${answer}`,
        };
      }),
    )
    .addCommand(
      command('replay <id>', 'Deliver events again, from a place in the feed on.')
        .requiredOption('--after <cursor>', 'a cursor of the feed or of an endpoint, `beginning` or `now`')
        .action(async (id: string, { after, json }: { after: string } & JsonOption) =>
          show(json ?? false, async (app) => {
            const endpoint = await app.get(WebhookEndpoints).replay(managerOf(app), id, after);
            return { json: endpoint, text: `The events after ${after} are delivered to the endpoint ${id}.` };
          }),
        ),
    )
    .addCommand(
      endpointCommand('enable', 'Enable an endpoint: delivery goes on where it stopped.', async (app, id) => {
        const endpoint = await app.get(WebhookEndpoints).enable(managerOf(app), id);
        return {
          json: endpoint,
          text: `The endpoint ${id} is ${endpoint.status}. Delivery goes on where it stopped.`,
        };
      }),
    )
    .addCommand(
      endpointCommand('disable', 'Disable an endpoint. Its events wait.', async (app, id) => {
        const endpoint = await app.get(WebhookEndpoints).disable(managerOf(app), id);
        return {
          json: endpoint,
          text: `The endpoint ${id} is DISABLED. Its events wait until it is enabled.`,
        };
      }),
    )
    .addCommand(
      endpointCommand(
        'rotate-secret',
        'Give an endpoint a new secret. It is shown once.',
        async (app, id) => {
          const endpoint = await app.get(WebhookEndpoints).rotateSecret(managerOf(app), id);
          return {
            json: endpoint,
            text: `${endpoint.secret}\nStore it now. It is not shown again. The secret before it signs too for 24 hours.`,
          };
        },
      ),
    )
    .addCommand(
      command('delete <id>', 'Delete an endpoint.')
        .option('--yes', 'do not ask for confirmation')
        .action(deleteEndpoint),
    );
}

function parseDescription(text: string): string {
  if (isWebhookDescription(text)) return text;
  throw new InvalidArgumentError(`Enter at most ${MAX_WEBHOOK_DESCRIPTION_LENGTH} visible characters.`);
}

async function createEndpoint(
  url: string,
  options: { supplier: string; types?: EventType[]; description?: string } & JsonOption,
): Promise<void> {
  const { supplier, json, ...fields } = options;
  await show(json ?? false, async (app) => {
    const organisationId = await app.get(ViewSuppliers).organisationOf(supplier);
    const { actor } = app.get(ActingOperator);
    const body = { ...fields, url, import_supplier: supplier };
    const endpoint = await app.get(WebhookEndpoints).create({ organisationId, actor }, body);
    return {
      json: endpoint,
      text: `The endpoint ${endpoint.id} gets the events from now on, once it is verified: webhook verify ${endpoint.id}\n${endpoint.secret}\nStore the secret now. It is not shown again.`,
    };
  });
}

async function listEndpoints({ supplier, json }: { supplier: string } & JsonOption): Promise<void> {
  await show(json ?? false, async (app) => {
    const organisationId = await app.get(ViewSuppliers).organisationOf(supplier);
    const endpoints = await app.get(WebhookEndpoints).list(organisationId, supplier);
    return {
      json: endpoints,
      text: table(
        ['id', 'status', 'url', 'types', 'failing since'],
        endpoints.map((endpoint) => [
          endpoint.id,
          statusText(endpoint),
          endpoint.url,
          endpoint.types.length,
          endpoint.failing_since ?? '-',
        ]),
        'The supplier has no endpoints. Create one with: webhook create <url> --supplier <code>',
      ),
    };
  });
}

function statusText({ status, disabled_reason }: WebhookEndpointView): string {
  return disabled_reason === null ? status : `${status} (${disabled_reason})`;
}

/** Attempts are printed as they are read: a busy endpoint has many in a week. */
async function listAttempts(
  id: string,
  { limit: text, json }: { limit?: string } & JsonOption,
): Promise<void> {
  if (text !== undefined && !/^[1-9]\d{0,8}$/.test(text))
    throw new PortageError('operation_refused', '--limit must be a whole number of at least 1.');
  let left = text === undefined ? Infinity : Number(text);
  await withApplication(async (app) => {
    let separator = '[';
    let count = 0;
    for (let before: string | undefined; left > 0;) {
      const limit = Math.min(left, PAGE_ROWS);
      const page = await app.get(WebhookEndpoints).listAttempts(managerOf(app), id, { limit, before });
      left = page.length < limit ? 0 : left - page.length;
      count += page.length;
      before = page.at(-1)?.id;
      if (page.length === 0) break;
      const lines = page.map((attempt) => (json ? JSON.stringify(attempt) : formatAttempt(attempt)));
      if (!(await print(json ? `${separator}\n  ${lines.join(',\n  ')}` : lines.join('')))) return;
      separator = ',';
    }
    if (json) await print(count === 0 ? '[]\n' : '\n]\n');
    else if (count === 0) await print('There are no attempts of the last week.\n');
  });
}

function formatAttempt(attempt: WebhookAttemptView): string {
  const { occurred_at, event_id, type, status, error, duration_ms } = attempt;
  const outcome = error === null ? `delivered ${String(status)}` : `failed ${status ?? error}`;
  const text = `${occurred_at}  ${outcome.padEnd(24)} ${String(duration_ms).padStart(6)} ms  #${attempt.attempt} ${type} ${event_id}`;
  return `${escapeForLine(text)}\n`;
}

async function deleteEndpoint(id: string, { yes, json }: { yes?: true } & JsonOption): Promise<void> {
  await show(json ?? false, async (app) => {
    const webhooks = app.get(WebhookEndpoints);
    const { url } = await webhooks.show(managerOf(app), id);
    if (!yes)
      await confirmText(`The endpoint ${id} (${url}) will be deleted.`, 'its id', id, 'Nothing was deleted.');
    await webhooks.delete(managerOf(app), id);
    return { json: { id, deleted: true }, text: `The endpoint ${id} is deleted.` };
  });
}

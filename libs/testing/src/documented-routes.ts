import type { PortageClient } from './portage-client';

interface Media {
  schema?: { examples?: unknown[] };
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}
interface Operation {
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, unknown>;
  security?: Record<string, unknown>[];
}

/** One operation of the OpenAPI document that a running API serves. */
export interface DocumentedRoute {
  /** `POST /v2/data-import/accounts/` */
  name: string;
  method: string;
  /** With parameters such as `{supplier}`. */
  path: string;
  parameters: { name: string; in: string }[];
  /** The examples of its body, if it has one in JSON. */
  bodies: Record<string, unknown>[];
  statuses: number[];
  /** Whether it requires a supplier's token. */
  isGuarded: boolean;
}

/** Every route of the OpenAPI document of the API, so that tests over all routes include new ones. */
export async function documentedRoutes(portage: PortageClient): Promise<DocumentedRoute[]> {
  const { body } = await portage.get('/openapi.json');
  const { paths } = body as { paths: Record<string, Record<string, Operation>> };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(
      ([method, { parameters = [], requestBody, responses, security = [] }]) => ({
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        parameters,
        bodies: Object.entries(requestBody?.content ?? {})
          .filter(([type]) => type === 'application/json')
          .flatMap(([, media]) => examplesOf(media)),
        statuses: Object.keys(responses).map(Number),
        isGuarded: security.some((scheme) => 'token' in scheme),
      }),
    ),
  );
}

function examplesOf({ schema, example, examples = {} }: Media): Record<string, unknown>[] {
  const all = [example, ...(schema?.examples ?? []), ...Object.values(examples).map(({ value }) => value)];
  return all.filter((one): one is Record<string, unknown> => one !== undefined);
}

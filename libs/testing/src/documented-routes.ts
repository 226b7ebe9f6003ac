import type { PortageClient } from './portage-client';

/** The media type of a body with one JSON object a line. */
export const LINES_MEDIA_TYPE = 'application/x-ndjson';

/** The media type of an uploaded document. */
export const PDF_MEDIA_TYPE = 'application/pdf';

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
  /** True if its body has one JSON object a line. */
  takesLines: boolean;
  /** True if its body is a PDF. */
  takesPdf: boolean;
  /** The examples of its body, if it has one; those of a body with lines are the lines. */
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
        takesLines: requestBody !== undefined && LINES_MEDIA_TYPE in requestBody.content,
        takesPdf: requestBody !== undefined && PDF_MEDIA_TYPE in requestBody.content,
        bodies: Object.values(requestBody?.content ?? {}).flatMap(examplesOf),
        statuses: Object.keys(responses).map(Number),
        isGuarded: security.some((scheme) => 'token' in scheme),
      }),
    ),
  );
}

function examplesOf({ schema, example, examples = {} }: Media): Record<string, unknown>[] {
  const all = [example, ...(schema?.examples ?? []), ...Object.values(examples).map(({ value }) => value)];
  return all
    .filter((one) => one !== undefined)
    .flatMap((one): Record<string, unknown>[] =>
      typeof one === 'string' ? one.split('\n').filter(Boolean).map(parse) : [one as Record<string, unknown>],
    );
}

function parse(line: string): Record<string, unknown> {
  return JSON.parse(line) as Record<string, unknown>;
}

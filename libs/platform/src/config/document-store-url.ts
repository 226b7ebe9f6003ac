import { fileURLToPath } from 'node:url';
import { EnvError, makeValidator } from 'envalid';
import { booleanParameter, isHttpUrl, requireKnownParameters } from './url-parts';

/** The parsed DOCUMENT_STORE_URL. It never contains credentials. */
export type DocumentStoreAddress =
  | { readonly kind: 'folder'; readonly directory: string }
  | {
      readonly kind: 's3';
      readonly bucket: string;
      readonly region: string;
      /** URL of an S3-compatible store other than Amazon S3. */
      readonly endpoint: string | undefined;
      readonly forcePathStyle: boolean;
    };

const FORMS = 'must be file:///folder or s3://bucket?region=R&endpoint=URL&forcePathStyle=true';
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

export const documentStoreUrl = makeValidator<DocumentStoreAddress>((text) => {
  if (!URL.canParse(text)) throw new EnvError(FORMS);
  const url = new URL(text);
  if (url.username || url.password)
    throw new EnvError(
      'must hold no user name or password: credentials come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or another source of the AWS SDK',
    );
  if (url.hash) throw new EnvError(FORMS);
  if (text.startsWith('file:///')) return parseFolder(url);
  if (text.startsWith('s3://')) return parseBucket(url);
  throw new EnvError(FORMS);
});

function parseFolder(url: URL): DocumentStoreAddress {
  requireKnownParameters(url, []);
  if (/%(?:2f|00)/i.test(url.pathname)) throw new EnvError(FORMS);
  if (url.pathname === '/') throw new EnvError('must name a folder, not the whole file system');
  return { kind: 'folder', directory: fileURLToPath(url) };
}

function parseBucket(url: URL): DocumentStoreAddress {
  requireKnownParameters(url, ['region', 'endpoint', 'forcePathStyle']);
  if (!BUCKET.test(url.hostname) || url.port || !['', '/'].includes(url.pathname)) throw new EnvError(FORMS);
  const endpoint = url.searchParams.get('endpoint') ?? undefined;
  if (endpoint !== undefined && !isHttpUrl(endpoint))
    throw new EnvError(
      'must have as endpoint a URL that starts with http:// or https://, without a password',
    );
  // Other stores accept any region, but the request signature requires one.
  const region = url.searchParams.get('region') ?? (endpoint && 'us-east-1');
  if (!region || !/^[a-z0-9-]+$/.test(region))
    throw new EnvError('must name the region: s3://bucket?region=R');
  const forcePathStyle = booleanParameter(url, 'forcePathStyle') ?? false;
  return { kind: 's3', bucket: url.hostname, region, endpoint, forcePathStyle };
}

import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import {
  type Answer,
  basePathOf,
  headersOf,
  noAnswer,
  parseAnswer,
  type Request,
  timeoutError,
  type Transport,
} from './transport';

/**
 * Sends requests over keep-alive connections.
 *
 * Uses `node:http` instead of `fetch`, which takes more CPU time than the rest of the importer; importer and service
 * often share a machine. `fetch` would also resolve an identifier `..` in a path.
 */
export class NodeTransport implements Transport {
  private readonly request: typeof httpRequest;
  private readonly agent: HttpAgent;
  private readonly basePath: string;

  constructor(private readonly baseUrl: URL) {
    const secure = baseUrl.protocol === 'https:';
    this.request = secure ? httpsRequest : httpRequest;
    this.agent = secure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
    this.basePath = basePathOf(baseUrl);
  }

  async send(request: Request): Promise<Answer> {
    let timer: NodeJS.Timeout | undefined;
    const { body, timeoutMs } = request;
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const sending = this.request(
          this.baseUrl,
          {
            method: request.method,
            path: this.basePath + request.path,
            headers: { ...headersOf(request), ...length },
            agent: this.agent,
          },
          resolve,
        );
        timer = setTimeout(() => {
          sending.destroy(timeoutError(timeoutMs));
        }, timeoutMs);
        sending.on('error', reject).end(body);
      });
      return parseAnswer(response.statusCode ?? 0, headersFrom(response), await text(response));
    } catch (error) {
      throw noAnswer(error);
    } finally {
      clearTimeout(timer);
    }
  }
}

function headersFrom({ headers }: IncomingMessage): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) joined[name] = Array.isArray(value) ? value.join(', ') : value;
  return joined;
}

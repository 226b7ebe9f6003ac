import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';

/** What the server answers to a question: addresses of the type that was asked for, or an error. */
export type NameAnswer =
  | { addresses: readonly string[] }
  | { alias: string; addresses: readonly string[] }
  | { error: 'SERVFAIL' | 'NXDOMAIN' }
  | 'silence';

export interface Question {
  name: string;
  type: 'A' | 'AAAA' | 'other';
}

const TYPES: Readonly<Record<number, Question['type']>> = { 1: 'A', 28: 'AAAA' };
const ERRORS = { SERVFAIL: 2, NXDOMAIN: 3 } as const;
const HEADER_BYTES = 12;
/** A compressed name: the one of the question. */
const SAME_NAME = Buffer.from([0xc0, HEADER_BYTES]);

/** A name server on this machine (RFC 1035, UDP) that answers as a test says, each answer with a lifetime of 0. */
export class NameServer {
  readonly questions: Question[] = [];

  private constructor(private readonly socket: Socket) {}

  static async start(answer: (question: Question) => NameAnswer): Promise<NameServer> {
    const socket = createSocket('udp4');
    const server = new NameServer(socket);
    socket.on('message', (message, sender) => {
      server.answer(message, sender, answer);
    });
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return server;
  }

  /** As a resolver takes it. */
  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  async stop(): Promise<void> {
    const closed = once(this.socket, 'close');
    this.socket.close();
    await closed;
  }

  private answer(message: Buffer, sender: RemoteInfo, answer: (question: Question) => NameAnswer): void {
    const { name, end } = readName(message);
    const type = TYPES[message.readUInt16BE(end)] ?? 'other';
    this.questions.push({ name, type });
    const found = answer({ name, type });
    if (found === 'silence') return;
    const records = 'error' in found ? [] : recordsOf(found, type);
    const header = Buffer.alloc(HEADER_BYTES);
    message.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | ('error' in found ? ERRORS[found.error] : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    const question = message.subarray(HEADER_BYTES, end + 4);
    this.socket.send(Buffer.concat([header, question, ...records]), sender.port, sender.address);
  }
}

function readName(message: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('ascii', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

function recordsOf(
  found: { alias?: string; addresses: readonly string[] },
  type: Question['type'],
): Buffer[] {
  const alias = found.alias === undefined ? undefined : writeName(found.alias);
  const owner = alias ?? SAME_NAME;
  const ofType = found.addresses.filter((address) => (address.includes(':') ? 'AAAA' : 'A') === type);
  return [
    ...(alias ? [record(SAME_NAME, 5, alias)] : []),
    ...ofType.map((address) =>
      type === 'A'
        ? record(owner, 1, Buffer.from(address.split('.').map(Number)))
        : record(owner, 28, bytesOfIPv6(address)),
    ),
  ];
}

function record(owner: Buffer, type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  // Class IN. The lifetime that follows is 0.
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([owner, fixed, data]);
}

function writeName(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}

/** The bytes of an address in full or short notation, without an IPv4 address at its end. */
function bytesOfIPv6(address: string): Buffer {
  const [head = '', tail] = address.split('::');
  const groupsOf = (text: string) => text.split(':').filter((group) => group !== '');
  const front = groupsOf(head);
  const back = groupsOf(tail ?? '');
  const zeros = new Array<string>(8 - front.length - back.length).fill('0');
  const bytes = Buffer.alloc(16);
  for (const [index, group] of [...front, ...zeros, ...back].entries())
    bytes.writeUInt16BE(Number.parseInt(group, 16), index * 2);
  return bytes;
}

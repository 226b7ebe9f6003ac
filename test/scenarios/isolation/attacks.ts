import { gzipSync } from 'node:zlib';
import { HOSTILE_UPLOADS } from '../../e2e/hostile-uploads';
import type { FloodRequest } from './flood';
import type { Tenant } from './tenant';
import { payment, type RequestName } from './victim';

/** How much an attack sends. */
interface AttackSize {
  transactions: number;
  instructionConnections: number;
  documents: number;
  /** Lines of each book of additions. */
  additions: number;
}

/** One supplier that floods one kind of request, and the requests of another that must not suffer. */
export interface Attack {
  title: string;
  connections: number;
  maxRequests?: number;
  requests: (attacker: Tenant) => FloodRequest[] | Promise<FloodRequest[]>;
  victims: readonly RequestName[];
  /** True for attacks of the short form too. */
  isShort?: boolean;
  /** True if the service has work long after the attack: nothing can be measured alone after it. The last attack. */
  leavesWork?: boolean;
}

/** Accounts that the attacker needs. */
export const ATTACKED_ACCOUNTS = Array.from({ length: 20 }, (_, index) => `A-${index}`);

const DOCUMENTS_PER_NOTE = 100;
/** The unpacked size of a hostile upload. */
const UPLOAD_BYTES = 20_000_000;
const SLOW_UPLOAD = { bytes: Buffer.from('{}\n'.repeat(2_000)), isSlow: true };

const about = ({ supplier }: Tenant, number: string) => ({
  import_supplier: supplier,
  external_account_number: number,
});

/** One upload of each kind that costs its sender little, and a slow one, each to a submission of its own. */
async function hostileUploads(attacker: Tenant): Promise<FloodRequest[]> {
  const uploads = HOSTILE_UPLOADS.map(({ build, isCompressed }) => {
    const lines = build(UPLOAD_BYTES);
    return { bytes: isCompressed ? lines : gzipSync(lines), isCompressed: true };
  });
  return Promise.all(
    [...uploads, SLOW_UPLOAD].map(async (lines, index) => {
      const path = '/v2/data-import/submissions/';
      const opened = { import_supplier: attacker.supplier, reference: `hostile ${index}` };
      const { body } = await attacker.post(path, opened);
      return { method: 'POST', path: `${path}${String(body.id)}/accounts/`, lines };
    }),
  );
}

const BOOKS = 8;
/** Uploads of one supplier that are admitted at once. */
const UPLOADS_AT_ONCE = 2;
/** One line in this many is a payment instruction, whose vendors limit how many are verified. */
const INSTRUCTED_SHARE = 400;

/** Uploads of additions about a few accounts, each to a submission of its own. */
async function booksOfAdditions(attacker: Tenant, lines: number): Promise<FloodRequest[]> {
  const path = '/v2/data-import/submissions/';
  return Promise.all(
    Array.from({ length: BOOKS }, async (_, book): Promise<FloodRequest> => {
      const reference = `book of additions ${Date.now()} ${book}`;
      const opened = { import_supplier: attacker.supplier, reference, kind: 'additions' };
      const { body } = await attacker.post(path, opened);
      const texts = Array.from({ length: lines }, (_line, index) =>
        JSON.stringify(lineOf(attacker, index, `${reference} ${index}`)),
      );
      const bytes = gzipSync(texts.join('\n'));
      return {
        method: 'POST',
        path: `${path}${String(body.id)}/additions/`,
        lines: { bytes, isCompressed: true },
      };
    }),
  );
}

function lineOf(attacker: Tenant, index: number, id: string): object {
  const accountAt = (place: number) =>
    about(attacker, ATTACKED_ACCOUNTS[place % ATTACKED_ACCOUNTS.length] ?? '');
  if (index % INSTRUCTED_SHARE === 0) {
    // Each about another account, because those of one account wait for each other.
    const account = accountAt(index / INSTRUCTED_SHARE);
    const reference = `pm_sandboxVisa${id.replaceAll(/\D/g, '')}`;
    return { payment_instruction: { ...account, type: 'CARD', vendor: 'STRIPE', reference } };
  }
  const account = accountAt(index);
  return index % 2 === 0
    ? { notes: { ...account, notes: [{ body: id }] } }
    : { transactions: { ...account, transactions: [payment(id)] } };
}

/** The attacks, for a size. */
export const attacks = ({
  transactions,
  instructionConnections,
  documents,
  additions,
}: AttackSize): Attack[] => [
  {
    title: 'validates over 64 connections',
    connections: 64,
    requests: (attacker) => [
      { method: 'POST', path: '/v2/data-import/accounts/validate/', body: attacker.account('{n}') },
    ],
    victims: ['validate', 'status read'],
  },
  {
    title: 'posts accounts over 64 connections',
    connections: 64,
    requests: (attacker) => [
      { method: 'POST', path: '/v2/data-import/accounts/', body: attacker.account('F-{n}') },
    ],
    victims: ['account posted', 'account imported', 'status read'],
    isShort: true,
  },
  {
    title: `16 dry runs of ${transactions} transactions at once`,
    connections: 16,
    requests: (attacker) =>
      ATTACKED_ACCOUNTS.slice(0, 16).map((number) => ({
        method: 'POST',
        path: '/v1/data-import/transactions/create/',
        body: {
          ...about(attacker, number),
          dry_run: true,
          transactions: Array.from({ length: transactions }, (_, index) => payment(`{n}-${index}`)),
        },
      })),
    victims: ['transaction added', 'status read'],
    isShort: true,
  },
  {
    title: `${instructionConnections} payment instructions at once`,
    connections: instructionConnections,
    requests: (attacker) =>
      ATTACKED_ACCOUNTS.map((number) => ({
        method: 'POST',
        path: '/v1/data-import/payment-instruction/create/',
        body: { ...about(attacker, number), type: 'CARD', vendor: 'STRIPE', reference: 'pm_sandboxVisa{n}' },
      })),
    victims: ['payment instruction', 'status read'],
    isShort: true,
  },
  {
    title: '30 requests for notes of one account at once',
    connections: 30,
    requests: (attacker) => [
      {
        method: 'POST',
        path: '/v1/data-import/notes/create/',
        body: {
          ...about(attacker, 'A-0'),
          notes: Array.from({ length: 20 }, (_, index) => ({ body: `Note {n}-${index}` })),
        },
      },
    ],
    victims: ['note posted', 'status read', 'list page'],
    isShort: true,
  },
  {
    title: `${BOOKS} books of ${additions} additions over ${UPLOADS_AT_ONCE} connections`,
    connections: UPLOADS_AT_ONCE,
    maxRequests: BOOKS,
    requests: async (attacker) => booksOfAdditions(attacker, additions),
    victims: ['transaction added', 'note posted', 'payment instruction', 'status read'],
    isShort: true,
  },
  {
    title: '30 whole lists at once',
    connections: 30,
    requests: ({ supplier }) => [
      { method: 'GET', path: `/v1/data-import/all-account-import-processes/${supplier}/` },
    ],
    victims: ['list page', 'status read'],
  },
  {
    title: 'packed uploads of blank and repeated lines, and slow ones, over 32 connections',
    connections: 32,
    requests: hostileUploads,
    victims: ['status read', 'account posted', 'account imported'],
  },
  {
    title: `${documents} documents that are not uploaded`,
    connections: 4,
    maxRequests: documents / DOCUMENTS_PER_NOTE,
    requests: (attacker) =>
      ATTACKED_ACCOUNTS.map((number) => ({
        method: 'POST',
        path: '/v1/data-import/notes/create/',
        body: {
          ...about(attacker, number),
          notes: [
            {
              document_paths: Array.from({ length: DOCUMENTS_PER_NOTE }, (_, index) => ({
                document_path: `{n}-${index}.pdf`,
              })),
            },
          ],
        },
      })),
    // Reads first: the flood itself may end while documents are inspected, and its retries remain.
    victims: ['status read', 'document inspected'],
    leavesWork: true,
  },
];

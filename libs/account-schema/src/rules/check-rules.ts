import { Account } from '../account/account';
import { TaskParams } from '../account/task-params';
import { type ObjectReader } from '../compiler/readers/object';
import { type FieldError, type SchemaContext, type ValidationProfile } from '../context';
import { NotesRequest } from '../request/notes-request';
import { PaymentInstructionRequest } from '../request/payment-instruction-request';
import { StatementsRequest } from '../request/statements-request';
import { TransactionsRequest } from '../request/transactions-request';
import { isObject } from '../vocabulary/json';
import { type ObjectType } from '../vocabulary/shape';
import { Facts } from './engine/facts';
import { RuleBook } from './engine/run';
import { salvage } from './engine/salvage';
import { type ScopeName } from './engine/scope';
import { RULES } from './list';

const books: Record<ValidationProfile, RuleBook> = {
  core: new RuleBook(RULES, 'core'),
  'gb-energy': new RuleBook(RULES, 'gb-energy'),
};

/** The bodies that there are rules about. */
const SCOPE_OF = new Map<ObjectType, ScopeName>([
  [Account, 'account'],
  [TaskParams, 'taskParams'],
  [NotesRequest, 'notesRequest'],
  [StatementsRequest, 'statementsRequest'],
  [TransactionsRequest, 'transactionsRequest'],
  [PaymentInstructionRequest, 'paymentInstructionRequest'],
]);

/**
 * Every breach of a rule in a body whose fields are right, in no particular order. Rules that need the database
 * are not among them, see `checkDatabaseRules`.
 */
export function breachesIn(type: ObjectType, body: object, context: SchemaContext): FieldError[] {
  return type === Account ? run(type, inOneShape(body as Account), context) : run(type, body, context);
}

/**
 * The same account as an object that has every field, absent ones as undefined. Senders leave fields out in
 * hundreds of ways, and a hundred rules that read from objects of hundreds of shapes take V8 twice as long.
 */
function inOneShape(account: Account): Account {
  return Object.assign(new Account(), account);
}

function run(type: ObjectType, body: object, context: SchemaContext): FieldError[] {
  const scope = SCOPE_OF.get(type);
  if (scope === undefined) return [];
  const facts = new Facts(context, scope === 'account' ? (body as Account) : undefined);
  return books[context.profile].run(scope, body, facts, context.limits.errors);
}

/**
 * As above for a body in which the field checks found `errors`: the breaches of all rules that do not depend on
 * a value that is wrong. `read` is the reader of the body's class.
 */
export function breachesDespite(
  errors: readonly FieldError[],
  type: ObjectType,
  body: unknown,
  read: ObjectReader,
  context: SchemaContext,
): FieldError[] {
  if (!SCOPE_OF.has(type) || !isObject(body)) return [];
  const salvaged = salvage(type, body, errors, read, context);
  return salvaged ? run(type, salvaged, context) : [];
}

import { suggestField } from '@portage/account-schema';
import { ADDITION_KINDS } from '../book/book-line';
import { BODIES, bodyFields, type FieldType, type RequestKind, type ScalarType } from './account-fields';
import type { CsvFile } from './csv-file';
import { type Form, readForm } from './form';
import type { ColumnUse, Scope } from './scope';
import { type Members, SCALAR } from './member';
import { failAt, isYamlObject, objectAt, textAt, type YamlNode, type YamlObject } from './yaml-node';

/** How an account, or a part of it, is made. */
export type Plan =
  | { readonly is: 'value'; readonly form: Form; readonly type: ScalarType }
  | {
      readonly is: 'object';
      readonly fields: readonly (readonly [name: string, plan: Plan])[];
      /** Fields that say whose object it is, and are no reason to have it. */
      readonly identity: readonly string[];
      /** True if a cell can have a value of another field: then it is left out if all these cells are empty. */
      readonly readsCells: boolean;
    }
  | { readonly is: 'list'; readonly items: readonly Plan[] }
  | EachPlan;

/** How a line of a book is made: an account, or an addition. */
export interface LinePlan {
  readonly request: RequestKind;
  readonly plan: Plan;
}

/** One item for each row of a source, or for each distinct value of a column of it. */
export interface EachPlan {
  readonly is: 'each';
  readonly source: string;
  /** The level whose rows these are, if an `each` of the same source is around this one. */
  readonly within: number | undefined;
  /** The cell around it that has the key of the rows. */
  readonly match: ColumnUse;
  readonly by: ColumnUse | undefined;
  readonly item: Plan;
}

/** The members of a list that has an item for each row, beside the fields of the item. */
export const EACH_MEMBERS: Members = {
  each: { schema: SCALAR, description: 'The source of the rows.', isRequired: true },
  by: {
    schema: SCALAR,
    description: 'The column whose values tell the items apart; without it each row is one.',
  },
  match: {
    schema: SCALAR,
    description:
      'The column around the list that has the key of the rows, if it is not the key of its own file.',
  },
};

const EACH = [...Object.keys(EACH_MEMBERS), 'item'];

/** The fields of an addition that say which account it is for. */
const IDENTITY = ['import_supplier', 'external_account_number', 'account_number'];

/** The members of a line of transactions besides them: the parameters of their endpoint. */
export const OPTIONS = ['check_previously_added', 'force_add_to_current_statement'];

/** Compiles `account` and `additions` of a mapping file. @throws UsageError that names the path of the mistake */
export class PlanReader {
  /** The body whose fields are read. */
  private request: RequestKind = 'account';

  constructor(private readonly files: ReadonlyMap<string, CsvFile>) {}

  readAccount(node: YamlNode, scope: Scope): LinePlan {
    if (!isYamlObject(node)) failAt('account', 'Give the fields of the account.');
    this.request = 'account';
    return { request: 'account', plan: this.readObject(node, 'account', scope, bodyFields('account')) };
  }

  /** A list of lines, each with one kind of addition. */
  readAdditions(node: YamlNode, scope: Scope): LinePlan[] {
    if (!Array.isArray(node) || node.length === 0)
      failAt('additions', 'Give a list: each item is a line of the book, with one kind of addition.');
    return node.map((line, index) => this.readAddition(line, `additions.${index}`, scope));
  }

  private readAddition(node: YamlNode, path: string, scope: Scope): LinePlan {
    const line = objectAt(node, path, [...ADDITION_KINDS, ...OPTIONS], 'an object with one kind of addition');
    const kinds = ADDITION_KINDS.filter((kind) => Object.hasOwn(line, kind));
    const [request] = kinds;
    if (request === undefined || kinds.length > 1)
      failAt(path, `Give exactly one of ${ADDITION_KINDS.join(', ')}.`);
    const option = Object.keys(line).find((name) => name !== request);
    if (option !== undefined && request !== 'transactions')
      failAt(`${path}.${option}`, 'It is a parameter of transactions.');
    this.request = request;
    const fields = Object.entries(line).map(([name, value]): readonly [string, Plan] => {
      const at = `${path}.${name}`;
      if (name !== request) return [name, this.read(value, at, scope, { is: 'flag' })];
      if (!isYamlObject(value)) failAt(at, 'Give an object with the fields of the contract.');
      return [name, this.readObject(value, at, scope, bodyFields(request), IDENTITY)];
    });
    return { request, plan: objectPlan(fields, OPTIONS) };
  }

  private read(node: YamlNode, path: string, scope: Scope, type: FieldType): Plan {
    switch (type.is) {
      case 'object':
        if (!isYamlObject(node)) failAt(path, 'Give an object with the fields of the contract.');
        return this.readObject(node, path, scope, type);
      case 'list':
        return this.readList(node, path, scope, type.items);
      default:
        return { is: 'value', form: readForm(node, path, scope), type: type.is };
    }
  }

  private readObject(
    node: YamlObject,
    path: string,
    scope: Scope,
    type: Extract<FieldType, { is: 'object' }>,
    identity: readonly string[] = [],
  ): Plan {
    const fields = Object.entries(node).map(([name, value]) => {
      const field = type.fields.get(name);
      if (field === undefined) failAt(`${path}.${name}`, unknownField(`${path}.${name}`, this.request));
      return [name, this.read(value, `${path}.${name}`, scope, field())] as const;
    });
    if (fields.length === 0) failAt(path, 'Give at least one field.');
    return objectPlan(fields, identity);
  }

  private readList(node: YamlNode, path: string, scope: Scope, items: FieldType): Plan {
    if (Array.isArray(node)) {
      if (node.length === 0) failAt(path, 'Give at least one item.');
      return {
        is: 'list',
        items: node.map((item, index) => this.read(item, `${path}.${index}`, scope, items)),
      };
    }
    if (!isYamlObject(node) || node['each'] === undefined)
      failAt(path, 'Give a list, or an object with each and the source of the items.');
    return this.readEach(node, path, scope, items);
  }

  private readEach(node: YamlObject, path: string, scope: Scope, items: FieldType): Plan {
    const source = textAt(node['each'], `${path}.each`, 'a source');
    const file = this.files.get(source);
    if (file === undefined)
      failAt(
        `${path}.each`,
        `There is no source ${source}. The sources are ${[...this.files.keys()].join(', ')}.`,
      );
    const within = scope.levelOf(source);
    if (within === 0) failAt(`${path}.each`, 'Give another source than that of the accounts.');
    if (within !== undefined && node['match'] !== undefined)
      failAt(`${path}.match`, `The rows are those of the ${source} around it: leave it out.`);
    const match =
      node['match'] === undefined
        ? scope.use(scope.file.settings.key, `${path}.each`)
        : scope.use(textAt(node['match'], `${path}.match`, 'a column'), `${path}.match`);
    const inside = scope.inside(file);
    const by =
      node['by'] === undefined
        ? undefined
        : inside.useOwn(textAt(node['by'], `${path}.by`, 'a column'), `${path}.by`);
    return { is: 'each', source, within, match, by, item: this.readItem(node, path, inside, items) };
  }

  private readItem(node: YamlObject, path: string, scope: Scope, items: FieldType): Plan {
    if (items.is === 'object') {
      if (node['item'] !== undefined) failAt(`${path}.item`, 'Give the fields of the item beside each.');
      const fields = Object.entries(node).filter(([name]) => !EACH.includes(name));
      return this.readObject(Object.fromEntries(fields), path, scope, items);
    }
    objectAt(node, path, EACH, 'an object');
    if (node['item'] === undefined) failAt(`${path}.item`, 'Give where each value comes from.');
    return this.read(node['item'], `${path}.item`, scope, items);
  }
}

function unknownField(path: string, request: RequestKind): string {
  const field = path.replace(request === 'account' ? /^account\./ : /^additions\.\d+\.\w+\./, '');
  const nearest = suggestField(field, BODIES[request]);
  const suggestion = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  return `The contract has no such field here.${suggestion} /docs of a running API has all fields.`;
}

function objectPlan(fields: readonly (readonly [string, Plan])[], identity: readonly string[]): Plan {
  const reads = fields.some(([name, plan]) => !identity.includes(name) && readsCells(plan));
  return { is: 'object', fields, identity, readsCells: reads };
}

/** The sources whose rows a plan has items of. */
export function sourcesOf(plan: Plan): string[] {
  if (plan.is === 'each') return [plan.source, ...sourcesOf(plan.item)];
  if (plan.is === 'object') return plan.fields.flatMap(([, field]) => sourcesOf(field));
  return plan.is === 'list' ? plan.items.flatMap(sourcesOf) : [];
}

function readsCells(plan: Plan): boolean {
  if (plan.is === 'value') return plan.form.is === 'cells';
  if (plan.is === 'object') return plan.readsCells;
  return plan.is === 'each' || plan.items.some(readsCells);
}

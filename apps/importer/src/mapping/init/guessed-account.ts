import type { GuessedValue } from './guess-value';

/** A guessed value of the account, or a part of it. */
export type GuessedNode = GuessedLeaf | GuessedObject | GuessedList;

export interface GuessedLeaf extends GuessedValue {
  readonly is: 'value';
}

export interface GuessedObject {
  readonly is: 'object';
  readonly fields: Map<string, GuessedNode>;
}

export interface GuessedList {
  readonly is: 'list';
  /** Undefined for items that are written one by one. */
  readonly each: GuessedEach | undefined;
  /** By the number in the names of their columns. With `each` there is one. */
  readonly items: Map<number, GuessedObject>;
}

/** One item for each row of a file, or for each value of a column of it. */
export interface GuessedEach {
  readonly source: string;
  readonly by: string | undefined;
  readonly match: string | undefined;
}

/** What is known when a list is begun. */
export interface ListStart {
  readonly path: string;
  /** The source of the rows around it; undefined is that of the accounts. */
  readonly around: string | undefined;
}

/** The fields of the account that were guessed. Paths mark lists with `[]`. */
export class GuessedAccount {
  readonly root = emptyObject();
  private readonly identifying = new Map<string, string>();

  /** The column that tells the items of a list apart, if a file has their rows. */
  identifyingColumn(list: string | undefined): string | undefined {
    return list === undefined ? undefined : this.identifying.get(list);
  }

  /** The object that has the field at a path. Lists that are missing are begun. */
  open(
    field: string,
    begin: (start: ListStart) => GuessedEach | undefined,
    itemOf: (path: string) => number = () => 1,
  ): GuessedObject {
    let object = this.root;
    let around: string | undefined;
    const parts = field.split('.').slice(0, -1);
    for (const [index, part] of parts.entries()) {
      const path = parts.slice(0, index + 1).join('.');
      const name = part.replace('[]', '');
      if (name === part) {
        object = getOrSet<string, GuessedNode>(object.fields, name, emptyObject()) as GuessedObject;
        continue;
      }
      const known = object.fields.get(name) as GuessedList | undefined;
      const list = known ?? { is: 'list', each: begin({ path, around }), items: new Map() };
      object.fields.set(name, list);
      if (list.each?.by !== undefined) this.identifying.set(path, list.each.by);
      around = list.each?.source ?? around;
      object = getOrSet<number, GuessedObject>(
        list.items,
        list.each === undefined ? itemOf(path) : 1,
        emptyObject(),
      );
    }
    return object;
  }
}

function emptyObject(): GuessedObject {
  return { is: 'object', fields: new Map() };
}

function getOrSet<K, V>(map: Map<K, V>, key: K, value: V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  map.set(key, value);
  return value;
}

/** True if something is mapped in it. */
export function isMapped(node: GuessedNode): boolean {
  if (node.is === 'value') return !node.isOpen;
  const parts = node.is === 'object' ? [...node.fields.values()] : [...node.items.values()];
  return parts.some(isMapped);
}

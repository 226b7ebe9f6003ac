import { rulesOf, shapesOf } from '../../compiler/rules';
import { anyTransaction } from '../../contract/transactions';
import { classesOf, type ObjectType } from '../../vocabulary/shape';
import { fieldsOf } from '../../vocabulary/description';
import type { CodeList } from '../operator/references';
import type { FieldsByScope, Place, Rule } from './kinds';
import { BODIES_WITH_RULES, type ScopeName, scopesOf } from './scope';

/** A field of a class. */
export interface ClassField {
  readonly type: ObjectType;
  readonly field: string;
}

/** The paths at which a rule reports breaches, from the body on. `<i>`, `<j>` and so on stand for indexes. */
export function pathsOf({ at }: Pick<Rule, 'at'>): readonly string[] {
  if (isPaths(at)) return at;
  const paths = entriesOf(at).flatMap(([scope, fields]) =>
    placesOf(scope).flatMap(([, path]) => fields.map((field) => join(path, field))),
  );
  return named(paths);
}

/** Those of the paths of a rule of the tier core that it checks only under the profile `gb-energy`. */
export function marketPathsOf(one: Rule): readonly string[] {
  if (one.checkedBy !== 'payload' || !one.gbrScopes || isPaths(one.at)) return [];
  const limited = entriesOf(one.at).filter(([scope]) => one.gbrScopes?.includes(scope));
  return pathsOf({ at: Object.fromEntries(limited) });
}

/** The fields of classes that a rule names. */
export function fieldsOfRule({ at }: Pick<Rule, 'at'>): ClassField[] {
  if (isPaths(at)) return at.flatMap((path) => fieldsFrom([...BODIES_WITH_RULES], path));
  return entriesOf(at).flatMap(([scope, fields]) => {
    const places = placesOf(scope);
    return fields.flatMap((field) =>
      field === ''
        ? places.flatMap(([, path]) => fieldsFrom([...BODIES_WITH_RULES], path))
        : fieldsFrom([...new Set(places.map(([type]) => type))], field),
    );
  });
}

/** True if the places of a rule are paths from the body on. */
export function isPaths(at: Place): at is readonly string[] {
  return Array.isArray(at);
}

function entriesOf(at: FieldsByScope): [ScopeName, readonly string[]][] {
  return Object.entries(at) as [ScopeName, readonly string[]][];
}

/** The fields at the end of a path from objects of the classes on; none if no class has the last one. */
function fieldsFrom(start: readonly ObjectType[], path: string): ClassField[] {
  let types = start;
  const segments = path.split('.').filter((segment) => !/^<[a-z]>$/.test(segment));
  const field = segments.pop() ?? '';
  for (const segment of segments)
    types =
      segment === '<transactions>'
        ? classesOf(anyTransaction)
        : types.flatMap((type) => classesIn(type, segment));
  return [...new Set(types)].filter((type) => shapesOf(type).has(field)).map((type) => ({ type, field }));
}

function classesIn(type: ObjectType, field: string): readonly ObjectType[] {
  const shape = shapesOf(type).get(field);
  return shape ? classesOf(shape) : [];
}

/** A class, and a path of its objects from a body on, in which `<i>` stands for any index. */
type PlacedClass = readonly [type: ObjectType, path: string];

function* placedClasses(type: ObjectType, path: string): Generator<PlacedClass> {
  yield [type, path];
  for (const { property, constraints } of rulesOf(type)) {
    const isList = constraints.some(({ name }) => name === 'isArray');
    for (const inner of classesIn(type, property))
      yield* placedClasses(inner, join(path, isList ? `${property}.<i>` : property));
  }
}

let placed: readonly PlacedClass[] | undefined;

/** All classes, each with a path of its objects. */
function allPlaces(): readonly PlacedClass[] {
  placed ??= [...BODIES_WITH_RULES].flatMap((body) => [...placedClasses(body, '')]);
  return placed;
}

function placesOf(scope: ScopeName): readonly PlacedClass[] {
  return allPlaces().filter(([type]) => scopesOf(type).includes(scope));
}

/** The paths of the objects of a class, from a body on; one is empty for a body. */
export function pathsOfClass(type: ObjectType): readonly string[] {
  return named(allPlaces().flatMap(([one, path]) => (one === type ? [path] : [])));
}

let listed: readonly { readonly list: CodeList; readonly path: string }[] | undefined;

/** The paths of the fields with the option `list` for one of these lists. */
export function pathsOfLists(lists: readonly CodeList[]): readonly string[] {
  listed ??= allPlaces().flatMap(([type, path]) =>
    rulesOf(type).flatMap(({ property, items }) => {
      const list = fieldsOf(type).get(property)?.list;
      return list ? [{ list, path: join(path, items.length > 0 ? `${property}.<i>` : property) }] : [];
    }),
  );
  return named(listed.filter(({ list }) => lists.includes(list)).map(({ path }) => path));
}

/** The paths, each once, with the names of indexes and lists. */
function named(paths: readonly string[]): string[] {
  return [...new Set(paths.map(withoutTransactionLists))].map(withIndexes);
}

function join(path: string, field: string): string {
  return path === '' || field === '' ? path + field : `${path}.${field}`;
}

/** Replaces each list of transactions by one name for all of them. */
function withoutTransactionLists(path: string): string {
  return path.replace(/^(?:ledgers\.<i>\.)?(?:\w+_)?transactions\.<i>/, '<transactions>.<i>');
}

function withIndexes(path: string): string {
  let count = 0;
  return path.replaceAll(/<[a-z]>/g, () => `<${'ijklmn'[count++] ?? 'n'}>`);
}

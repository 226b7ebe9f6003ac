import { constraintsOf, shapesOf } from '../../compiler/constraints';
import { classesOf, type ObjectType } from '../../vocabulary/shape';
import { fieldsOf } from '../../vocabulary/description';
import type { CodeList } from '../operator/references';
import { groupBy } from '../terms/group-by';
import type { PayloadRule, Places, Rule } from './kinds';
import { BODIES_WITH_RULES, type ScopeName, scopesOf } from './scope';

/** A field of a class. */
export interface ClassField {
  readonly type: ObjectType;
  readonly field: string;
}

/** What says where a rule reports breaches. */
type Placed = Pick<Rule, 'at'> & Pick<PayloadRule, 'lists'>;

/** The paths at which a rule reports breaches, from the body on. `<i>`, `<j>` and so on stand for indexes. */
export function pathsOf(one: Placed): readonly string[] {
  return named(placedFieldsOf(one));
}

/** The fields of classes that a rule names. An object that is reported itself is the field that holds it. */
export function fieldsOfRule(one: Placed): ClassField[] {
  return placedFieldsOf(one).flatMap(({ place, field }) => {
    if (field === '') return place.holder ?? [];
    // Free JSON has no fields of its own.
    const last = stepsOf(place.type, field).findLast((fields) => fields.length > 0) ?? [];
    return last.filter(({ type, field: name }) => shapesOf(type).has(name));
  });
}

/** The scopes of which a rule names only fields that belong to the British market alone. */
export function marketScopesOf(at: Places): ScopeName[] {
  return scopesIn(at).filter((scope) => {
    const types = new Set(placesOf(scope).map(({ type }) => type));
    return at[scope]?.every((field: string) => [...types].every((type) => isMarketField(type, field)));
  });
}

/** True if the fields of these lists belong to the British market alone. */
export function areMarketLists(lists: NonNullable<PayloadRule['lists']>): boolean {
  return placedFieldsOf({ at: {}, lists }).every(({ place, field }) => isMarketField(place.type, field));
}

function isMarketField(type: ObjectType, path: string): boolean {
  return stepsOf(type, path).some(
    (fields) =>
      fields.length > 0 && fields.every(({ type: one, field }) => fieldsOf(one).get(field)?.tier === 'gbr'),
  );
}

/** The fields of classes on a path from objects of a class on, for each name in it. */
function stepsOf(start: ObjectType, path: string): ClassField[][] {
  let types: readonly ObjectType[] = [start];
  return path
    .split('.')
    .filter((segment) => segment !== '<i>')
    .map((field) => {
      const fields = types.map((type) => ({ type, field }));
      types = [...new Set(types.flatMap((type) => classesIn(type, field)))];
      return fields;
    });
}

function classesIn(type: ObjectType, field: string): readonly ObjectType[] {
  const shape = shapesOf(type).get(field);
  return shape ? classesOf(shape) : [];
}

/** A class, a path of its objects from a body on, in which `<i>` stands for any index, and the field that holds them. */
interface Place {
  readonly type: ObjectType;
  readonly path: string;
  readonly holder?: ClassField;
}

function* placesFrom(type: ObjectType, path: string, holder?: ClassField): Generator<Place> {
  yield { type, path, ...(holder && { holder }) };
  for (const { property, constraints } of constraintsOf(type)) {
    const isList = constraints.some(({ name }) => name === 'isArray');
    for (const inner of classesIn(type, property))
      yield* placesFrom(inner, join(path, isList ? `${property}.<i>` : property), { type, field: property });
  }
}

let places: readonly Place[] | undefined;

/** All classes, each with a path of its objects. */
function allPlaces(): readonly Place[] {
  places ??= [...BODIES_WITH_RULES].flatMap((body) => [...placesFrom(body, '')]);
  return places;
}

let placesByScope: ReadonlyMap<ScopeName, readonly { readonly place: Place }[]> | undefined;

function placesOf(scope: ScopeName): readonly Place[] {
  placesByScope ??= groupBy(
    allPlaces().flatMap((place) => scopesOf(place.type).map((name) => ({ name, place }))),
    ({ name }) => name,
  );
  return placesByScope.get(scope)?.map(({ place }) => place) ?? [];
}

/** The paths of the objects of a class, from a body on; one is empty for a body. */
export function pathsOfClass(type: ObjectType): readonly string[] {
  return named(allPlaces().flatMap((place) => (place.type === type ? [{ place, field: '' }] : [])));
}

/** A field, or a path from an object on, with a place of the object. */
interface PlacedField {
  readonly place: Place;
  readonly field: string;
}

function placedFieldsOf({ at, lists }: Placed): PlacedField[] {
  if (lists) return fieldsWith(lists);
  return scopesIn(at).flatMap((scope) =>
    placesOf(scope).flatMap((place) => (at[scope] ?? []).map((field: string) => ({ place, field }))),
  );
}

let listed: readonly (PlacedField & { readonly list: CodeList })[] | undefined;

/** The fields with the option `list` for one of these lists. */
function fieldsWith(lists: NonNullable<PayloadRule['lists']>): PlacedField[] {
  listed ??= allPlaces().flatMap((place) =>
    constraintsOf(place.type).flatMap(({ property, items }) => {
      const list = fieldsOf(place.type).get(property)?.list;
      return list ? [{ list, place, field: items.length > 0 ? `${property}.<i>` : property }] : [];
    }),
  );
  return listed.filter(({ list }) => lists[list]);
}

function scopesIn(at: Places): ScopeName[] {
  return Object.keys(at) as ScopeName[];
}

/** The paths of fields, each once, with the names of indexes and of the lists of transactions. */
function named(fields: readonly PlacedField[]): string[] {
  const paths = fields.map(({ place, field }) => join(withoutTransactionLists(place.path), field));
  return [...new Set(paths)].map(withIndexes);
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
  return path.replaceAll('<i>', () => `<${'ijklmn'[count++] ?? 'n'}>`);
}

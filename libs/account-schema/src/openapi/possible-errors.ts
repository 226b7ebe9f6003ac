import { type PropertyRules, rulesOf, shapesOf } from '../compiler/rules';
import { BODIES } from '../request/bodies';
import { RULES } from '../rules/list';
import { codeOf } from '../vocabulary/constraint';
import { isUnion, type ObjectType, type Shape } from '../vocabulary/shape';
import { contractClasses } from './contract-shapes';

/** A position in a list, such as `<i>`. */
const POSITION = /^<[a-z]>$/;
/** Beginnings of paths that stand for several objects. */
const ANY_OBJECT = /^(…|<transactions>|\.)?$/;

/** The codes of the errors that are reported at each field: of its field check, and of the rules that name it. */
export class PossibleErrors {
  /** Codes of rules by `Class.field`. */
  private readonly codesOfRules = new Map<string, Set<string>>();
  /** Codes of rules whose path names no field. */
  readonly unplaced: string[] = [];

  constructor() {
    const owners = ownersByProperty();
    for (const { path, code } of RULES) {
      const isPlaced = path.split(' | ').map((one) => this.place(one, code, owners));
      if (!isPlaced.includes(true)) this.unplaced.push(code);
    }
  }

  /** The codes at one field, in the order in which they are checked. */
  codesOf(type: ObjectType, { property, constraints, items }: PropertyRules): string[] {
    const ofRules = this.codesOfRules.get(`${type.name}.${property}`) ?? [];
    return [...new Set([...[...constraints, ...items].map(codeOf), ...ofRules])];
  }

  /** Records the code at the field that the path ends with, in each object that the field before it can hold. */
  private place(path: string, code: string, owners: Owners): boolean {
    const names = path
      .split(/[.\s]+/)
      .filter((name) => name !== '' && name !== '…' && !POSITION.test(name) && !ANY_OBJECT.test(name));
    const field = names.at(-1);
    const parent = names.at(-2);
    const isAnywhere = /^(…|<transactions>)/.test(path);
    const types =
      parent === undefined ? (isAnywhere ? owners.all : owners.bodies) : owners.byName.get(parent);
    if (field === undefined) return false;
    const found = [...(types ?? [])].filter((type) =>
      rulesOf(type).some(({ property }) => property === field),
    );
    for (const { name } of found) {
      const key = `${name}.${field}`;
      this.codesOfRules.set(key, (this.codesOfRules.get(key) ?? new Set()).add(code));
    }
    return found.length > 0;
  }
}

interface Owners {
  bodies: ReadonlySet<ObjectType>;
  all: ReadonlySet<ObjectType>;
  /** The classes of the objects that a field of this name holds. */
  byName: ReadonlyMap<string, ReadonlySet<ObjectType>>;
}

function ownersByProperty(): Owners {
  const all = new Set(contractClasses());
  const byName = new Map<string, Set<ObjectType>>();
  for (const type of all)
    for (const [property, shape] of shapesOf(type)) {
      if (!shape) continue;
      const types = byName.get(property) ?? new Set();
      for (const inner of classesOf(shape)) types.add(inner);
      byName.set(property, types);
    }
  // The account is validated by itself and inside of a request, whose window the rules about it name.
  const bodies = new Set([...BODIES.flatMap(classesOf), ...(byName.get('task_params') ?? [])]);
  return { bodies, all, byName };
}

function classesOf(shape: Shape): ObjectType[] {
  return isUnion(shape) ? Object.values(shape.variants) : [shape];
}

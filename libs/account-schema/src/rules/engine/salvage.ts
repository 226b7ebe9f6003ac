import { Pass } from '../../compiler/pass';
import { FAILED } from '../../compiler/reader';
import { type ObjectReader } from '../../compiler/readers/object';
import { rulesOf } from '../../compiler/rules';
import { type FieldError, type SchemaContext } from '../../context';
import { isObject } from '../../vocabulary/json';
import { isUnion, type ObjectType, type Shape } from '../../vocabulary/shape';
import { setTripwire } from './tripwire';

type Json = Readonly<Record<string, unknown>>;

/**
 * What can be relied on of a payload in which the field checks found `errors`: it is read without the values
 * that are wrong, and each of these is replaced by a tripwire, so that a rule which would use it says nothing.
 * A list member that is no object, or does not say of which kind it is, counts as wrong as a whole. Undefined
 * if nothing can be relied on.
 */
export function salvage(
  type: ObjectType,
  payload: Json,
  errors: readonly FieldError[],
  read: ObjectReader,
  context: SchemaContext,
): object | undefined {
  const mistakes = treeOf(errors);
  if (mistakes.isHere) return undefined;
  const pruning = new Pruning();
  const pruned = pruning.object(payload, type, mistakes, []);
  const result = read(pruned, new SilentPass(context));
  if (result === FAILED) return undefined;
  const salvaged = result ?? pruned;
  pruning.setTripwires(salvaged);
  return salvaged;
}

/** Reads without reporting: what is missing has been reported, and what is wrong has been taken out. */
class SilentPass extends Pass {
  override report(): void {
    // Reported already.
  }

  override reportWhole(): void {
    // Reported already.
  }

  override reportMissing(): void {
    // Reported already.
  }
}

/** The paths of the errors as a tree. */
interface Mistakes {
  isHere: boolean;
  readonly inside: Map<string, Mistakes>;
}

function treeOf(errors: readonly FieldError[]): Mistakes {
  const root: Mistakes = { isHere: false, inside: new Map() };
  for (const { attr } of errors) {
    let node = root;
    for (const segment of attr.split('.')) {
      if (segment === 'non_field_errors') break;
      let next = node.inside.get(segment);
      if (!next) {
        next = { isHere: false, inside: new Map() };
        node.inside.set(segment, next);
      }
      node = next;
    }
    node.isHere = true;
  }
  return root;
}

type Path = readonly (string | number)[];

/** Copies the containers on the way to each mistake, without the mistakes; remembers where they were. */
class Pruning {
  private readonly wires: Path[] = [];
  private readonly shortened: {
    readonly path: Path;
    readonly length: number;
    readonly lacks: Set<number>;
  }[] = [];

  object(object: Json, type: ObjectType, mistakes: Mistakes, path: Path): Record<string, unknown> {
    const copy: Record<string, unknown> = { ...object };
    for (const [key, inside] of mistakes.inside) {
      const fields = shapesOf(type);
      if (!fields.has(key)) continue;
      const here = [...path, key];
      const kept = this.value(object[key], fields.get(key), inside, here);
      if (kept !== undefined) {
        copy[key] = kept;
        continue;
      }
      Reflect.deleteProperty(copy, key);
      this.wires.push(here);
    }
    return copy;
  }

  private value(value: unknown, shape: Shape | undefined, mistakes: Mistakes, path: Path): unknown {
    if (mistakes.isHere || !shape) return undefined;
    if (Array.isArray(value)) return this.list(value, shape, mistakes, path);
    const type = isObject(value) && variantOf(shape, value);
    return type ? this.object(value, type, mistakes, path) : undefined;
  }

  private list(
    list: readonly unknown[],
    shape: Shape,
    mistakes: Mistakes,
    path: Path,
  ): unknown[] | undefined {
    const lacks = new Set<number>();
    const kept: unknown[] = [];
    for (const [i, member] of list.entries()) {
      const inside = mistakes.inside.get(String(i));
      const pruned = inside ? this.value(member, shape, inside, [...path, i]) : member;
      if (pruned === undefined) lacks.add(i);
      else kept.push(pruned);
    }
    if (lacks.size > 0) this.shortened.push({ path, length: list.length, lacks });
    return kept.length > 0 ? kept : undefined;
  }

  /** Gives every list its length back, outer lists first, and replaces what is missing by tripwires. */
  setTripwires(root: object): void {
    const outerFirst = [...this.shortened].sort((a, b) => a.path.length - b.path.length);
    for (const { path, length, lacks } of outerFirst) {
      const [container, key] = find(root, path) ?? [];
      const kept = container && key !== undefined ? container[key] : undefined;
      if (!container || key === undefined || !Array.isArray(kept)) continue;
      let next = 0;
      const restored: unknown[] = [];
      for (let i = 0; i < length; i += 1) {
        if (lacks.has(i)) setTripwire(restored, i);
        else restored[i] = kept[next++];
      }
      container[key] = restored;
    }
    for (const path of this.wires) {
      const [container, key] = find(root, path) ?? [];
      if (container && key !== undefined) setTripwire(container, key);
    }
  }
}

/** The container that a path ends in, and the last segment. */
function find(root: object, path: Path): [Record<string | number, unknown>, string | number] | undefined {
  const last = path.at(-1);
  let container: unknown = root;
  for (const segment of path.slice(0, -1)) {
    if (typeof container !== 'object' || container === null) return undefined;
    container = (container as Record<string | number, unknown>)[segment];
  }
  if (last === undefined || typeof container !== 'object' || container === null) return undefined;
  return [container as Record<string | number, unknown>, last];
}

function variantOf(shape: Shape, object: Json): ObjectType | undefined {
  if (!isUnion(shape)) return shape;
  const choice = object[shape.discriminator];
  return typeof choice === 'string' && Object.hasOwn(shape.variants, choice)
    ? shape.variants[choice]
    : undefined;
}

const shapes = new Map<ObjectType, ReadonlyMap<string, Shape | undefined>>();

/** The documented fields of a class, with the shape of those that hold objects. */
function shapesOf(type: ObjectType): ReadonlyMap<string, Shape | undefined> {
  let found = shapes.get(type);
  if (!found) {
    found = new Map(
      rulesOf(type).map(({ property, constraints }) => {
        const nested = constraints.find((one) => one.is === 'object' || one.is === 'itemsObjects');
        return [property, nested && 'shape' in nested ? nested.shape : undefined];
      }),
    );
    shapes.set(type, found);
  }
  return found;
}

import { Pass } from '../../compiler/pass';
import { FAILED } from '../../compiler/reader';
import type { Steps } from '../../compiler/steps';
import type { ObjectReader } from '../../compiler/readers/object';
import { shapesOf } from '../../compiler/rules';
import type { FieldError, SchemaContext } from '../../context';
import { isObject } from '../../vocabulary/json';
import { isUnion, type ObjectType, type Shape } from '../../vocabulary/shape';
import { setTripwire } from './tripwire';

type Json = Readonly<Record<string, unknown>>;

/**
 * Reads a payload in which the field checks found `errors`. The payload is read without the invalid values, and
 * each of them is replaced by a tripwire, so that a rule that uses it reports nothing. A list member that is not an
 * object, or has no valid discriminator, is invalid as a whole. Returns undefined if the payload itself is invalid.
 */
export function* readDespiteErrors(
  type: ObjectType,
  payload: Json,
  errors: readonly FieldError[],
  read: ObjectReader,
  context: SchemaContext,
): Steps<object | undefined> {
  const errorTree = buildErrorTree(errors);
  if (errorTree.hasError) return undefined;
  const pruner = new PayloadPruner();
  const pruned = pruner.pruneObject(payload, type, errorTree, []);
  yield;
  const pass = new SilentPass(context);
  const result = read(pruned, pass);
  while (pass.readNext()) yield;
  if (result === FAILED) return undefined;
  const value = result ?? pruned;
  pruner.setTripwires(value);
  return value;
}

/** Reads without reporting: missing fields have been reported already and invalid values have been removed. */
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
interface ErrorTree {
  hasError: boolean;
  readonly children: Map<string, ErrorTree>;
}

function buildErrorTree(errors: readonly FieldError[]): ErrorTree {
  const root: ErrorTree = { hasError: false, children: new Map() };
  for (const { attr } of errors) {
    let node = root;
    for (const segment of attr.split('.')) {
      if (segment === 'non_field_errors') break;
      let next = node.children.get(segment);
      if (!next) {
        next = { hasError: false, children: new Map() };
        node.children.set(segment, next);
      }
      node = next;
    }
    node.hasError = true;
  }
  return root;
}

type Path = readonly (string | number)[];

/** Copies the containers around each invalid value without that value, and records the removed paths. */
class PayloadPruner {
  private readonly removedPaths: Path[] = [];
  private readonly shortenedLists: {
    readonly path: Path;
    readonly length: number;
    readonly removedIndexes: Set<number>;
  }[] = [];

  pruneObject(object: Json, type: ObjectType, errorTree: ErrorTree, path: Path): Record<string, unknown> {
    const copy: Record<string, unknown> = { ...object };
    for (const [key, subtree] of errorTree.children) {
      const fields = shapesOf(type);
      if (!fields.has(key)) continue;
      const here = [...path, key];
      const pruned = this.pruneValue(object[key], fields.get(key), subtree, here);
      if (pruned !== undefined) {
        copy[key] = pruned;
        continue;
      }
      Reflect.deleteProperty(copy, key);
      this.removedPaths.push(here);
    }
    return copy;
  }

  private pruneValue(value: unknown, shape: Shape | undefined, errorTree: ErrorTree, path: Path): unknown {
    if (errorTree.hasError || !shape) return undefined;
    if (Array.isArray(value)) return this.pruneList(value, shape, errorTree, path);
    const type = isObject(value) && variantOf(shape, value);
    return type ? this.pruneObject(value, type, errorTree, path) : undefined;
  }

  private pruneList(
    list: readonly unknown[],
    shape: Shape,
    errorTree: ErrorTree,
    path: Path,
  ): unknown[] | undefined {
    const removedIndexes = new Set<number>();
    const remaining: unknown[] = [];
    for (const [i, member] of list.entries()) {
      const subtree = errorTree.children.get(String(i));
      const pruned = subtree ? this.pruneValue(member, shape, subtree, [...path, i]) : member;
      if (pruned === undefined) removedIndexes.add(i);
      else remaining.push(pruned);
    }
    if (removedIndexes.size > 0)
      this.shortenedLists.push({ path, length: list.length, removedIndexes: removedIndexes });
    return remaining.length > 0 ? remaining : undefined;
  }

  /** Restores the length of each list, outer lists first, and puts tripwires in place of the removed values. */
  setTripwires(root: object): void {
    const outerFirst = [...this.shortenedLists].sort((a, b) => a.path.length - b.path.length);
    for (const { path, length, removedIndexes: lacks } of outerFirst) {
      const [container, key] = findContainer(root, path) ?? [];
      const remaining = container && key !== undefined ? container[key] : undefined;
      if (!container || key === undefined || !Array.isArray(remaining)) continue;
      let next = 0;
      const restored: unknown[] = [];
      for (let i = 0; i < length; i += 1) {
        if (lacks.has(i)) setTripwire(restored, i);
        else restored[i] = remaining[next++];
      }
      container[key] = restored;
    }
    for (const path of this.removedPaths) {
      const [container, key] = findContainer(root, path) ?? [];
      if (container && key !== undefined) setTripwire(container, key);
    }
  }
}

/** The container of the value at `path`, and the key of the value in it. */
function findContainer(
  root: object,
  path: Path,
): [Record<string | number, unknown>, string | number] | undefined {
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

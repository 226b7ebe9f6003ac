import type { ValidationProfile } from '../context';
import type { Constraint, ConstraintName } from '../vocabulary/constraint';
import { isUnion, type ObjectType, type Shape } from '../vocabulary/shape';
import { ABSENT, type Reader } from './reader';
import { readDate, readMomentOfPass, readTime } from './readers/calendar';
import { choiceReader } from './readers/choice';
import { readFlag } from './readers/flag';
import { dictionaryReader, jsonReader } from './readers/json';
import { objectListReader, valueListReader } from './readers/list';
import { decimalReader, integerReader } from './readers/numeral';
import {
  Field,
  nestedReader,
  NULL,
  type ObjectReader,
  objectReader,
  REQUIRED,
  unionReader,
} from './readers/object';
import { missingFault, parsedReader } from './readers/parsed';
import { textReader } from './readers/text';
import { type PropertyConstraints, constraintsOf, UnsupportedConstraint } from './constraints';

/** Compiles classes and unions for one profile. Each shape is compiled once, however many fields refer to it. */
export class Compiler {
  private readonly readers = new Map<Shape, ObjectReader>();

  constructor(private readonly profile: ValidationProfile) {}

  /** @throws UnsupportedConstraint if a decorator of the class, or of a class that it contains, is not supported */
  objectReader(shape: Shape): ObjectReader {
    let reader = this.readers.get(shape);
    if (!reader) {
      reader = isUnion(shape)
        ? unionReader(shape.discriminator, this.variantReaders(shape.variants))
        : objectReader(this.fieldsOf(shape));
      this.readers.set(shape, reader);
    }
    return reader;
  }

  private variantReaders(variants: Readonly<Record<string, ObjectType>>): Map<string, ObjectReader> {
    return new Map(Object.entries(variants).map(([name, type]) => [name, this.objectReader(type)]));
  }

  private fieldsOf(type: ObjectType): Map<string, Field> {
    return new Map(constraintsOf(type).map((declared) => [declared.property, this.fieldOf(type, declared)]));
  }

  private fieldOf(type: ObjectType, declared: PropertyConstraints): Field {
    const { property: key } = declared;
    const constraints = new ConstraintSet(type, key, declared.constraints);
    const isRequired = constraints.take('present') !== undefined;
    const isNullable = !constraints.take('notNull');
    const parser = constraints.take('parsed')?.parser;
    const missing = parser ? missingFault(parser) : REQUIRED;
    // Null counts as absent for a parser.
    const nullFault = parser ? (isRequired ? missing : ABSENT) : NULL;
    const reader = parser
      ? parsedReader(parser)
      : (this.containerReader(type, declared, constraints) ?? this.valueReader(constraints, key));
    if (!reader) throw new UnsupportedConstraint(type, key, 'no constraint defines the kind of value');
    constraints.refuseLeftovers();
    return new Field(key, reader, isNullable ? undefined : nullFault, isRequired ? 1 : 0, missing);
  }

  private containerReader(
    type: ObjectType,
    { property: key, items }: PropertyConstraints,
    constraints: ConstraintSet,
  ): Reader | undefined {
    const object = constraints.take('object');
    if (object) return nestedReader(key, this.objectReader(object.shape));
    if (!constraints.take('isArray')) return undefined;
    const arrayMinSize = constraints.take('arrayMinSize')?.min ?? 0;
    if (!constraints.take('itemsNotNull'))
      throw new UnsupportedConstraint(type, key, 'lists of nulls are not supported');
    const list = { key, arrayMinSize };
    const objects = constraints.take('itemsObjects');
    if (objects) return objectListReader(list, this.objectReader(objects.shape));
    const itemConstraints = new ConstraintSet(type, key, items);
    const item = this.valueReader(itemConstraints, key);
    if (!item)
      throw new UnsupportedConstraint(type, key, "no constraint defines the kind of the list's members");
    itemConstraints.refuseLeftovers();
    return valueListReader(list, item);
  }

  private valueReader(constraints: ConstraintSet, key: string): Reader | undefined {
    if (constraints.take('text')) return this.textReader(constraints, false);
    if (constraints.take('identifier'))
      return constraints.take('notDotSegment') && this.textReader(constraints, true);
    if (constraints.take('storable')) {
      const choice = constraints.take('isIn');
      return choice && choiceReader(choice.values);
    }
    if (constraints.take('shortNumeral')) return numeralReader(constraints);
    if (constraints.take('isBoolean')) return readFlag;
    if (constraints.take('dateWithoutTime')) return constraints.take('date') && readDate;
    if (constraints.take('datetime')) return readMomentOfPass;
    if (constraints.take('time')) return readTime;
    if (constraints.take('dictionary')) return constraints.take('json') && dictionaryReader(key);
    return constraints.take('json') && jsonReader(key);
  }

  private textReader(constraints: ConstraintSet, isIdentifier: boolean): Reader {
    const format = constraints.take('format')?.format;
    return textReader({
      isIdentifier,
      identifies: constraints.take('visible') !== undefined,
      refuseBlank: constraints.take('notBlank') !== undefined,
      min: constraints.take('minLength')?.min ?? 0,
      max: constraints.take('maxLength')?.max ?? Number.MAX_SAFE_INTEGER,
      format: format?.profile === undefined || format.profile === this.profile ? format : undefined,
    });
  }
}

function numeralReader(constraints: ConstraintSet): Reader | undefined {
  if (constraints.take('isInt')) {
    const min = constraints.take('min')?.min ?? Number.MIN_SAFE_INTEGER;
    const max = constraints.take('max')?.max ?? Number.MAX_SAFE_INTEGER;
    return integerReader({ min, max });
  }
  const digits = constraints.take('isDecimal') && constraints.take('digits');
  if (!digits || !constraints.take('places') || !constraints.take('wholeDigits')) return undefined;
  const aboveZero = constraints.take('isPositive') !== undefined;
  return decimalReader({ aboveZero, whole: digits.whole, places: digits.places });
}

/** The constraints of one property. Each is taken once; a constraint that is left over is not supported. */
class ConstraintSet {
  private readonly remaining: Map<ConstraintName, Constraint>;

  constructor(
    private readonly type: ObjectType,
    private readonly property: string,
    constraints: readonly Constraint[],
  ) {
    this.remaining = new Map(constraints.map((constraint) => [constraint.name, constraint]));
    if (this.remaining.size !== constraints.length) {
      throw new UnsupportedConstraint(type, property, 'the same constraint is declared twice');
    }
  }

  take<Name extends ConstraintName>(name: Name): Extract<Constraint, { name: Name }> | undefined {
    const constraint = this.remaining.get(name) as Extract<Constraint, { name: Name }> | undefined;
    this.remaining.delete(name);
    return constraint;
  }

  refuseLeftovers(): void {
    const [leftover] = this.remaining.keys();
    if (leftover !== undefined) {
      throw new UnsupportedConstraint(
        this.type,
        this.property,
        `"${leftover}" cannot be combined with the other constraints`,
      );
    }
  }
}

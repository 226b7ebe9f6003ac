import type { ValidationProfile } from '../context';
import type { Constraint, ConstraintName } from '../vocabulary/constraint';
import { isUnion, type ObjectType, type Shape } from '../vocabulary/shape';
import type { Reader } from './reader';
import { dateReader, momentReader, timeReader } from './readers/calendar';
import { choiceReader } from './readers/choice';
import { flagReader } from './readers/flag';
import { dictionaryReader, jsonReader } from './readers/json';
import { objectListReader, valueListReader } from './readers/list';
import { decimalReader, integerReader } from './readers/numeral';
import { Field, nestedReader, type ObjectReader, objectReader, unionReader } from './readers/object';
import { missingFault, parsedReader } from './readers/parsed';
import { identifierReader, textReader } from './readers/text';
import { type PropertyRules, rulesOf, UnsupportedRule } from './rules';

/** Compiles classes and unions for one profile. Each shape is compiled once, however many fields refer to it. */
export class Compiler {
  private readonly readers = new Map<Shape, ObjectReader>();

  constructor(private readonly profile: ValidationProfile) {}

  /** @throws UnsupportedRule if a decorator of the class, or of a class that it contains, is not supported */
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
    return new Map(
      rulesOf(type).map((rules) => {
        const { property } = rules;
        const required = rules.constraints.some(({ name }) => name === 'present') ? 1 : 0;
        const parsed = rules.constraints.find((one) => one.name === 'parsed');
        const missing = parsed && missingFault(parsed.parser);
        return [property, new Field(property, this.fieldReader(type, rules), required, missing)];
      }),
    );
  }

  private fieldReader(type: ObjectType, rules: PropertyRules): Reader {
    const { property: key } = rules;
    const constraints = new ConstraintSet(type, key, rules.constraints);
    const required = constraints.take('present') !== undefined;
    const nullable = !constraints.take('notNull');
    const parsed = constraints.take('parsed');
    const reader = parsed
      ? parsedReader(parsed.parser, { nullable, required })
      : (this.containerReader(type, rules, constraints, nullable) ??
        this.valueReader(constraints, key, nullable));
    if (!reader) throw new UnsupportedRule(type, key, 'no constraint defines the kind of value');
    constraints.refuseLeftovers();
    return reader;
  }

  private containerReader(
    type: ObjectType,
    { property: key, items }: PropertyRules,
    constraints: ConstraintSet,
    nullable: boolean,
  ): Reader | undefined {
    const object = constraints.take('object');
    if (object) return nestedReader(key, nullable, this.objectReader(object.shape));
    if (!constraints.take('isArray')) return undefined;
    const arrayMinSize = constraints.take('arrayMinSize')?.min ?? 0;
    if (!constraints.take('itemsNotNull'))
      throw new UnsupportedRule(type, key, 'lists of nulls are not supported');
    const list = { key, nullable, arrayMinSize };
    const objects = constraints.take('itemsObjects');
    if (objects) return objectListReader(list, this.objectReader(objects.shape));
    const itemConstraints = new ConstraintSet(type, key, items);
    const item = this.valueReader(itemConstraints, key, false);
    if (!item) throw new UnsupportedRule(type, key, "no constraint defines the kind of the list's members");
    itemConstraints.refuseLeftovers();
    return valueListReader(list, item);
  }

  private valueReader(constraints: ConstraintSet, key: string, nullable: boolean): Reader | undefined {
    if (constraints.take('text')) return this.textReader(constraints, nullable);
    if (constraints.take('identifier')) return readerOfIdentifier(constraints, nullable);
    if (constraints.take('storable')) {
      const choice = constraints.take('isIn');
      return choice && choiceReader(choice.values, nullable);
    }
    if (constraints.take('shortNumeral')) return numeralReader(constraints, nullable);
    if (constraints.take('isBoolean')) return flagReader(nullable);
    if (constraints.take('dateWithoutTime')) return constraints.take('date') && dateReader(nullable);
    if (constraints.take('datetime')) return momentReader(nullable);
    if (constraints.take('time')) return timeReader(nullable);
    if (constraints.take('dictionary')) return constraints.take('json') && dictionaryReader(key, nullable);
    return constraints.take('json') && jsonReader(key, nullable);
  }

  private textReader(constraints: ConstraintSet, nullable: boolean): Reader {
    const refuseBlank = constraints.take('notBlank') !== undefined;
    const identifies = constraints.take('visible') !== undefined;
    const format = constraints.take('format')?.format;
    return textReader({
      identifies,
      nullable,
      refuseBlank,
      min: constraints.take('minLength')?.min ?? 0,
      max: constraints.take('maxLength')?.max ?? Number.MAX_SAFE_INTEGER,
      format: format?.profile === undefined || format.profile === this.profile ? format : undefined,
    });
  }
}

function readerOfIdentifier(constraints: ConstraintSet, nullable: boolean): Reader | undefined {
  const refuseBlank = constraints.take('notBlank') !== undefined;
  if (!constraints.take('visible') || !constraints.take('notDotSegment')) return undefined;
  const max = constraints.take('maxLength')?.max ?? Number.MAX_SAFE_INTEGER;
  return identifierReader({ nullable, refuseBlank, max });
}

function numeralReader(constraints: ConstraintSet, nullable: boolean): Reader | undefined {
  if (constraints.take('isInt')) {
    const min = constraints.take('min')?.min ?? Number.MIN_SAFE_INTEGER;
    const max = constraints.take('max')?.max ?? Number.MAX_SAFE_INTEGER;
    return integerReader({ nullable, min, max });
  }
  const digits = constraints.take('isDecimal') && constraints.take('digits');
  if (!digits || !constraints.take('places') || !constraints.take('wholeDigits')) return undefined;
  const aboveZero = constraints.take('isPositive') !== undefined;
  return decimalReader({ nullable, aboveZero, whole: digits.whole, places: digits.places });
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
      throw new UnsupportedRule(type, property, 'the same constraint is declared twice');
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
      throw new UnsupportedRule(
        this.type,
        this.property,
        `"${leftover}" cannot be combined with the other constraints`,
      );
    }
  }
}

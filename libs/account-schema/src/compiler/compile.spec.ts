import { IsOptional, IsString, MaxLength, ValidateBy, ValidateIf, ValidateNested } from 'class-validator';
import { core } from '../../test/context';
import { compileContract, validateObject } from '../validate';
import { Choice, ListOf, Nested, Text } from '../vocabulary/decorators';
import { field } from '../vocabulary/field';
import { UnsupportedConstraint } from './constraints';

/** Defines a class whose one property has these decorators. */
function decorated(name: string, ...decorators: PropertyDecorator[]): new () => object {
  const type = class {
    name?: unknown;
  };
  Object.defineProperty(type, 'name', { value: name });
  for (const decorate of decorators) decorate(type.prototype, 'name');
  return type;
}

const text = () => Text('A name.');
const imitated = { name: 'text', constraints: [{ name: 'text' }], validator: { validate: () => true } };

describe('the compiler', () => {
  const reasons: [string, RegExp, () => new () => object][] = [
    [
      'a class without decorators',
      /Undecorated\.\* cannot be compiled: the class has no decorated property/,
      () => decorated('Undecorated'),
    ],
    [
      "a constraint of class-validator's own",
      /Foreign\.name cannot be compiled: the constraint "maxLength" is not one of the vocabulary's/,
      () => decorated('Foreign', MaxLength(5)),
    ],
    [
      'a foreign constraint together with the vocabulary',
      /MixedOrigins\.name cannot be compiled: the constraint "isString"/,
      () => decorated('MixedOrigins', text(), IsString()),
    ],
    [
      '@IsOptional',
      /@ValidateIf and @IsOptional are not supported/,
      () => decorated('Optional', text(), IsOptional()),
    ],
    [
      '@ValidateIf',
      /@ValidateIf and @IsOptional are not supported/,
      () =>
        decorated(
          'Conditional',
          text(),
          ValidateIf(() => false),
        ),
    ],
    [
      '@ValidateNested without a class',
      /use @Nested or @ListOf rather than @ValidateNested alone/,
      () => decorated('WithoutShape', ValidateNested()),
    ],
    [
      'groups',
      /the option "groups" is not supported/,
      () => decorated('Grouped', MaxLength(5, { groups: ['a'] })),
    ],
    [
      'always',
      /the option "always" is not supported/,
      () => decorated('Always', MaxLength(5, { always: true })),
    ],
    [
      'a duplicate decorator',
      /Duplicated\.name cannot be compiled: the same constraint is declared twice/,
      () => decorated('Duplicated', text(), text()),
    ],
    [
      'constraints that cannot be combined',
      /Contradictory\.name cannot be compiled: "isBoolean" cannot be combined with/,
      () => decorated('Contradictory', field('A name.', {}, [{ name: 'isBoolean' }, { name: 'text' }])),
    ],
    [
      'a property without a kind',
      /no constraint defines the kind of value/,
      () => decorated('WithoutKind', field('A name.', {}, [])),
    ],
    [
      'a constraint that imitates one of the vocabulary',
      /the constraint "text" is not one of the vocabulary's/,
      () => decorated('Imitated', ValidateBy(imitated)),
    ],
    [
      'an unsupported constraint in a nested class',
      /Deep\.name cannot be compiled/,
      () => {
        const deep = decorated('Deep', MaxLength(5));
        const middle = decorated('Middle', ListOf('Some.', deep));
        return decorated('Outer', Nested('One.', middle));
      },
    ],
  ];

  it.each(reasons)('rejects %s with class and property', (_, message, define) => {
    const type = define();
    expect(() => validateObject(type, {}, core)).toThrow(UnsupportedConstraint);
    expect(() => validateObject(type, {}, core)).toThrow(message);
  });

  it('compiles every body of the contract', () => {
    expect(compileContract).not.toThrow();
  });

  it('compiles inherited and overridden properties', () => {
    class Parent {
      @Text('Kept.', { maxLength: 3 })
      kept?: string;

      @Choice('Overridden.', ['a', 'b'])
      overridden?: 'a' | 'b';
    }
    class Child extends Parent {
      @Choice('Overridden.', ['b'])
      override overridden?: 'b' = undefined;
    }
    const found = (input: object) => {
      const result = validateObject(Child, input, core);
      return result.ok ? [] : result.errors.map(({ attr, code }) => `${attr} ${code}`);
    };
    expect(found({ kept: 'long', overridden: 'a' })).toEqual([
      'kept max_length',
      'overridden invalid_choice',
    ]);
    expect(found({ kept: 'ok', overridden: 'b' })).toEqual([]);
  });
});

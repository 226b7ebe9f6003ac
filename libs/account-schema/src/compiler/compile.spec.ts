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
  it.each<[string, string, ...PropertyDecorator[]]>([
    ["a constraint of class-validator's own", 'the constraint "maxLength" is not one', MaxLength(5)],
    ['a foreign constraint together with the vocabulary', 'the constraint "isString"', text(), IsString()],
    ['@IsOptional', '@ValidateIf and @IsOptional are not supported', text(), IsOptional()],
    ['@ValidateIf', '@ValidateIf and @IsOptional are not supported', text(), ValidateIf(() => false)],
    ['@ValidateNested without a class', 'use @Nested or @ListOf rather than', ValidateNested()],
    ['groups', 'the option "groups" is not supported', MaxLength(5, { groups: ['a'] })],
    ['always', 'the option "always" is not supported', MaxLength(5, { always: true })],
    ['a duplicate decorator', 'the same constraint is declared twice', text(), text()],
    [
      'constraints that cannot be combined',
      '"isBoolean" cannot be combined with',
      field('A name.', {}, [{ name: 'isBoolean' }, { name: 'text' }]),
    ],
    ['a property without a kind', 'no constraint defines the kind of value', field('A name.', {}, [])],
    ['a constraint that imitates one of the vocabulary', 'the constraint "text"', ValidateBy(imitated)],
  ])('rejects %s with class and property', (_, problem, ...decorators) => {
    const compile = () => validateObject(decorated('Some', ...decorators), {}, core);
    expect(compile).toThrow(UnsupportedConstraint);
    expect(compile).toThrow(`Some.name cannot be compiled: ${problem}`);
  });

  it('rejects a class without decorators', () => {
    expect(() => validateObject(decorated('Some'), {}, core)).toThrow(
      'Some.* cannot be compiled: the class has no decorated property',
    );
  });

  it('rejects an unsupported constraint in a nested class', () => {
    const middle = decorated('Middle', ListOf('Some.', decorated('Deep', MaxLength(5))));
    const outer = decorated('Outer', Nested('One.', middle));
    expect(() => validateObject(outer, {}, core)).toThrow('Deep.name cannot be compiled');
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

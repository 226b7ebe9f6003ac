import { IsOptional, IsString, MaxLength, ValidateBy, ValidateIf, ValidateNested } from 'class-validator';
import { core } from '../../test/context';
import { compileContract, validateObject } from '../validate';
import { Choice, ListOf, Nested, Text } from '../vocabulary/decorators';
import { field } from '../vocabulary/field';
import { UnsupportedRule } from './rules';

describe('the compiler', () => {
  const reasons: [string, RegExp, () => new () => object][] = [
    [
      'a class without decorators',
      /Undecorated\.\* cannot be compiled: the class has no decorated property/,
      () => {
        class Undecorated {
          readonly [name: string]: unknown;
        }
        return Undecorated;
      },
    ],
    [
      "a constraint of class-validator's own",
      /WithForeignConstraint\.name cannot be compiled: the constraint "maxLength" is not one of the vocabulary's/,
      () => {
        class WithForeignConstraint {
          @MaxLength(5)
          name: string;
        }
        return WithForeignConstraint;
      },
    ],
    [
      'a foreign constraint together with the vocabulary',
      /MixedOrigins\.name cannot be compiled: the constraint "isString"/,
      () => {
        class MixedOrigins {
          @IsString()
          @Text('A name.')
          name: string;
        }
        return MixedOrigins;
      },
    ],
    [
      '@IsOptional',
      /@ValidateIf and @IsOptional are not supported/,
      () => {
        class WithIsOptional {
          @IsOptional()
          @Text('A name.')
          name?: string;
        }
        return WithIsOptional;
      },
    ],
    [
      '@ValidateIf',
      /@ValidateIf and @IsOptional are not supported/,
      () => {
        class WithValidateIf {
          @ValidateIf(() => false)
          @Text('A name.')
          name?: string;
        }
        return WithValidateIf;
      },
    ],
    [
      '@ValidateNested without a class',
      /use @Nested or @ListOf rather than @ValidateNested alone/,
      () => {
        class WithoutShape {
          @ValidateNested()
          inner: object;
        }
        return WithoutShape;
      },
    ],
    [
      'groups',
      /the option "groups" is not supported/,
      () => {
        class WithGroups {
          @MaxLength(5, { groups: ['a'] })
          name: string;
        }
        return WithGroups;
      },
    ],
    [
      'always',
      /the option "always" is not supported/,
      () => {
        class WithAlways {
          @MaxLength(5, { always: true })
          name: string;
        }
        return WithAlways;
      },
    ],
    [
      'a duplicate decorator',
      /Duplicated\.name cannot be compiled: the same constraint is declared twice/,
      () => {
        class Duplicated {
          @Text('A name.')
          @Text('A name.')
          name: string;
        }
        return Duplicated;
      },
    ],
    [
      'constraints that cannot be combined',
      /Contradictory\.name cannot be compiled: "isBoolean" cannot be combined with/,
      () => {
        class Contradictory {
          @field('A name.', {}, [{ name: 'isBoolean' }, { name: 'text' }])
          name: string;
        }
        return Contradictory;
      },
    ],
    [
      'a property without a kind',
      /no constraint defines the kind of value/,
      () => {
        class WithoutKind {
          @field('A name.', {}, [])
          name: string;
        }
        return WithoutKind;
      },
    ],
    [
      'a constraint that imitates one of the vocabulary',
      /the constraint "text" is not one of the vocabulary's/,
      () => {
        class Imitated {
          @ValidateBy({ name: 'text', constraints: [{ name: 'text' }], validator: { validate: () => true } })
          name: string;
        }
        return Imitated;
      },
    ],
    [
      'an unsupported constraint in a nested class',
      /Deep\.name cannot be compiled/,
      () => {
        class Deep {
          @MaxLength(5)
          name: string;
        }
        class Middle {
          @ListOf('Some.', Deep)
          deep?: Deep[];
        }
        class Outer {
          @Nested('One.', Middle)
          middle?: Middle;
        }
        return Outer;
      },
    ],
  ];

  it.each(reasons)('rejects %s with class and property', (_, message, define) => {
    const type = define();
    expect(() => validateObject(type, {}, core)).toThrow(UnsupportedRule);
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

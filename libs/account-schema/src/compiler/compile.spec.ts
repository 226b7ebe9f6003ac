import { IsOptional, IsString, MaxLength, ValidateBy, ValidateIf, ValidateNested } from 'class-validator';
import { core } from '../../test/context';
import { compileContract, validateObject } from '../index';
import { Choice, ListOf, Nested, Text } from '../vocabulary/decorators';
import { field } from '../vocabulary/field';
import { UnsupportedRule } from './rules';

describe('the compiler', () => {
  const reasons: [string, RegExp, () => new () => object][] = [
    [
      'a class without decorators',
      /Plain\.\* cannot be compiled: the class has no decorated property/,
      () => {
        class Plain {
          readonly [name: string]: unknown;
        }
        return Plain;
      },
    ],
    [
      "a constraint of class-validator's own",
      /Foreign\.name cannot be compiled: the constraint "maxLength" is not one of the vocabulary's/,
      () => {
        class Foreign {
          @MaxLength(5)
          name: string;
        }
        return Foreign;
      },
    ],
    [
      'a foreign constraint beside the vocabulary',
      /Beside\.name cannot be compiled: the constraint "isString"/,
      () => {
        class Beside {
          @IsString()
          @Text('A name.')
          name: string;
        }
        return Beside;
      },
    ],
    [
      '@IsOptional',
      /@ValidateIf and @IsOptional are not supported/,
      () => {
        class Maybe {
          @IsOptional()
          @Text('A name.')
          name?: string;
        }
        return Maybe;
      },
    ],
    [
      '@ValidateIf',
      /@ValidateIf and @IsOptional are not supported/,
      () => {
        class Sometimes {
          @ValidateIf(() => false)
          @Text('A name.')
          name?: string;
        }
        return Sometimes;
      },
    ],
    [
      '@ValidateNested without a class',
      /use @Nested or @ListOf rather than @ValidateNested alone/,
      () => {
        class Bare {
          @ValidateNested()
          inner: object;
        }
        return Bare;
      },
    ],
    [
      'groups',
      /the option "groups" is not supported/,
      () => {
        class Grouped {
          @MaxLength(5, { groups: ['a'] })
          name: string;
        }
        return Grouped;
      },
    ],
    [
      'always',
      /the option "always" is not supported/,
      () => {
        class Always {
          @MaxLength(5, { always: true })
          name: string;
        }
        return Always;
      },
    ],
    [
      'two decorators that say the same',
      /Twice\.name cannot be compiled: the same constraint stands there twice/,
      () => {
        class Twice {
          @Text('A name.')
          @Text('A name.')
          name: string;
        }
        return Twice;
      },
    ],
    [
      'constraints that do not go together',
      /Mixed\.name cannot be compiled: "boolean" has no meaning beside/,
      () => {
        class Mixed {
          @field('A name.', {}, [{ is: 'boolean' }, { is: 'text' }])
          name: string;
        }
        return Mixed;
      },
    ],
    [
      'a property without a kind',
      /no constraint says what kind of value it holds/,
      () => {
        class Kindless {
          @field('A name.', {}, [])
          name: string;
        }
        return Kindless;
      },
    ],
    [
      'a constraint that only looks like one of the vocabulary',
      /the constraint "text" is not one of the vocabulary's/,
      () => {
        class Forged {
          @ValidateBy({ name: 'text', constraints: [{ is: 'text' }], validator: { validate: () => true } })
          name: string;
        }
        return Forged;
      },
    ],
    [
      'something unsupported deep inside',
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

  it.each(reasons)('refuses %s, naming class and property', (_, message, define) => {
    const type = define();
    expect(() => validateObject(type, {}, core)).toThrow(UnsupportedRule);
    expect(() => validateObject(type, {}, core)).toThrow(message);
  });

  it('compiles every body of the contract', () => {
    expect(compileContract).not.toThrow();
  });

  it('compiles inherited properties, and those that a class declares anew', () => {
    class Parent {
      @Text('Kept.', { max: 3 })
      kept?: string;

      @Choice('Overridden.', ['a'])
      overridden?: string;
    }
    class Child extends Parent {
      @Choice('Overridden.', ['b'])
      override overridden?: string = undefined;
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

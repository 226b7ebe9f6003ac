import type { PortageError } from '@portage/platform';
import { ChoiceField, FlagField, IntegerField, MomentField, ObjectField, TextField } from './fields';
import { ValidationPipe } from './validation-pipe';

class Part {
  @TextField({ max: 3 })
  text?: string;
}

class Body {
  @TextField({ required: true })
  name: string;

  @FlagField()
  flag?: boolean;

  @IntegerField({ min: 0, max: 9, nullable: true })
  count?: number | null;

  @ChoiceField(['one', 'two'], { default: 'two' })
  choice: string;

  @MomentField()
  at?: Date;

  @ObjectField(Part)
  part?: Part;
}

const pipe = new ValidationPipe();
const read = (type: 'body' | 'query', value: unknown) => pipe.transform(value, { type, metatype: Body });

function errorsOf(type: 'body' | 'query', value: unknown): unknown {
  try {
    read(type, value);
  } catch (error) {
    const { code, detail, members } = error as PortageError;
    return { code, detail, errors: members['errors'] };
  }
  return undefined;
}

describe('the validation of parameters by their class', () => {
  it('converts values and adds defaults', () => {
    expect(read('query', { name: 'a', count: '7', at: '2026-11-21T08:30:00Z' })).toEqual({
      name: 'a',
      count: 7,
      choice: 'two',
      at: new Date('2026-11-21T08:30:00Z'),
    });
  });

  it('takes null for an absent member, unless null is a value', () => {
    expect(read('body', { name: 'a', flag: null, count: null })).toEqual({
      name: 'a',
      count: null,
      choice: 'two',
    });
  });

  it('leaves out unknown query parameters', () => {
    expect(read('query', { name: 'a', other: '1', __proto__: 'x' })).toEqual({ name: 'a', choice: 'two' });
  });

  it('reports each invalid member of a body, also unknown ones and those of a part', () => {
    const body = { flag: 'true', count: 10, choice: 'three', part: { text: 'long' }, other: 1 };
    expect(errorsOf('body', body)).toEqual({
      code: 'validation_error',
      detail: 'The request is not valid.',
      errors: [
        { attr: 'name', code: 'required', detail: 'Enter a text of 1 to 256 characters.' },
        { attr: 'flag', code: 'invalid', detail: 'Enter true or false.' },
        { attr: 'count', code: 'invalid', detail: 'Enter a whole number from 0 to 9.' },
        { attr: 'choice', code: 'invalid_choice', detail: 'Enter one of one, two.' },
        { attr: 'part.text', code: 'invalid', detail: 'Enter a text of 1 to 3 characters.' },
        { attr: 'other', code: 'unknown_field', detail: 'This field is not part of the contract.' },
      ],
    });
  });

  it.each([[''], [1], [['a', 'b']], ['a\0b'], [null]])('refuses %j as a required text', (name) => {
    expect(errorsOf('body', { name })).toMatchObject({ errors: [{ attr: 'name' }] });
  });

  it('requires a body', () => {
    expect(errorsOf('body', undefined)).toMatchObject({ code: 'parse_error' });
  });

  it('passes on what has no class with fields', () => {
    const body = { anything: true };
    expect(pipe.transform(body, { type: 'body', metatype: Object })).toBe(body);
    expect(pipe.transform('17', { type: 'param', metatype: String })).toBe('17');
  });
});

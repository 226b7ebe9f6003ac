import { core } from '../test/context';
import { validateObject } from './validate';
import {
  CalendarDate,
  Choice,
  Decimal,
  Dictionary,
  Flag,
  Identifier,
  Integer,
  Json,
  ListOf,
  ListOfDecimals,
  ListOfTexts,
  Moment,
  Money,
  Nested,
  PartIdentifier,
  PositiveMoney,
  Text,
  TimeOfDay,
} from './vocabulary/decorators';

class Inner {
  @Text('Required text.', { required: true, maxLength: 5 })
  name: string;
}

/** A class with a field of each kind. */
class Sample {
  @Text('Text.', { maxLength: 5 }) text?: string;
  @Text('Text.', { nullable: true, minLength: 2 }) nullable?: string | null;
  @Identifier('Identifier.') identifier?: string;
  @Text('Trimmed identifier.', { identifies: true, maxLength: 5 }) reference?: string;
  @PartIdentifier('Identifier of a part.') part?: string;
  @Choice('Choice.', ['A', 'B', '']) choice?: 'A' | 'B' | '';
  @Choice('Choice.', ['A']) strict?: 'A';
  @Flag('Flag.') flag?: boolean;
  @Integer('Integer.', { min: -1, max: 99 }) integer?: number;
  @Decimal('Decimal.', { whole: 3, places: 4 }) decimal?: string;
  @Money('Money.') money?: string;
  @PositiveMoney('Money above zero.') positive?: string;
  @CalendarDate('Date.') date?: string;
  @Moment('Moment.') moment?: string;
  @TimeOfDay('Time.') time?: string;
  @Json('JSON.') json?: unknown;
  @Dictionary('Dictionary.') dictionary?: Record<string, unknown>;
  @Nested('Object.', Inner) object?: Inner;
  @ListOf('Objects.', Inner, { arrayMinSize: 1 }) objects?: Inner[];
  @ListOfTexts('Texts.', { item: { maxLength: 3 } }) texts?: string[];
  @ListOfDecimals('Decimals.', { whole: 2, places: 1 }) decimals?: string[];
}

function read(input: object): unknown {
  const result = validateObject(Sample, input, core);
  return result.ok ? result.value : result.errors.map(({ attr, code }) => `${attr} ${code}`).join();
}

const ABSENT = Symbol('absent');

const CONVERTED: [string, unknown, unknown][] = [
  ['text', 'abc', 'abc'],
  ['text', ' abc ', 'abc'],
  ['text', 12.5, '12.5'],
  ['text', 0, '0'],
  ['text', '', ABSENT],
  ['text', ' \t', ABSENT],
  ['text', '😀😀😀😀😀', '😀😀😀😀😀'],
  ['text', '  abcde  ', 'abcde'],
  ['nullable', null, null],
  ['nullable', '', ABSENT],
  ['identifier', ' A/1 ', 'A/1'],
  ['identifier', '\u00a0A-1\r\n', 'A-1'],
  ['identifier', '...', '...'],
  ['identifier', 9007199254740991, '9007199254740991'],
  ['part', ' T-1 ', 'T-1'],
  ['identifier', 100231, '100231'],
  ['identifier', 'Zoë/山', 'Zoë/山'],
  ['reference', ' é-1\n', 'é-1'],
  ['reference', 12, '12'],
  ['identifier', ' ', ABSENT],
  ['choice', 'A', 'A'],
  ['choice', '', ABSENT],
  ['flag', false, false],
  ['integer', 5, 5],
  ['integer', '5', 5],
  ['integer', ' 5.0 ', 5],
  ['integer', '-0', 0],
  ['decimal', '12.50', '12.50'],
  ['decimal', 12.5, '12.5'],
  ['decimal', 1e-4, '0.0001'],
  ['decimal', '+007.5', '7.5'],
  ['decimal', '.5', '0.5'],
  ['decimal', '5.', '5'],
  ['decimal', '-0.00', '0.00'],
  ['decimal', ' 1 ', '1'],
  ['money', 0.1, '0.1'],
  ['money', '1234567890.12', '1234567890.12'],
  ['date', '2024-02-29', '2024-02-29'],
  ['money', '61.5000', '61.50'],
  ['money', '-0.100', '-0.10'],
  ['money', '1.000', '1.00'],
  ['positive', '0.01', '0.01'],
  ['positive', 61.5, '61.5'],
  ['decimal', '1.2345000', '1.2345'],
  ['moment', '2024-12-31T23:59:59Z', '2024-12-31T23:59:59Z'],
  ['moment', '2024-02-28T10:00:00+01:00', '2024-02-28T09:00:00Z'],
  ['moment', '2024-02-28T10:00:00.123456789Z', '2024-02-28T10:00:00Z'],
  ['moment', '2024-12-31t23:30:00.5-05:30', '2025-01-01T05:00:00Z'],
  ['moment', '2024-02-28 10:00:00z', '2024-02-28T10:00:00Z'],
  ['moment', '2024-02-28', '2024-02-28T00:00:00Z'],
  ['moment', '2024-06-01', '2024-05-31T23:00:00Z'],
  ['time', '06:30', '06:30'],
  ['time', '23:59:59', '23:59:59'],
  ['json', [1, { a: ' x ' }], [1, { a: ' x ' }]],
  ['json', '', ''],
  ['dictionary', { a: 1 }, { a: 1 }],
  ['object', { name: 'a', more: 1 }, { name: 'a' }],
  ['objects', [{ name: 'a' }, { name: 7 }], [{ name: 'a' }, { name: '7' }]],
  ['texts', ['a', 1, ' b '], ['a', '1', 'b']],
  ['texts', [], []],
  ['identifier', 'e\u0301', '\u00e9'],
  ['identifier', 'a\u00a0b\u3000c', 'a b c'],
  ['reference', 'e\u0301\u0301\u0301\u0301', '\u00e9\u0301\u0301\u0301'],
  ['part', '\u3000a', 'a'],
  ['decimals', ['1', 2.5], ['1', '2.5']],
];

const REJECTED: [string, unknown, string][] = [
  ['text', 'abcdef', 'text max_length'],
  ['text', '😀😀😀😀😀😀', 'text max_length'],
  ['text', true, 'text invalid'],
  ['text', {}, 'text invalid'],
  ['text', [], 'text invalid'],
  ['text', null, 'text null'],
  ['text', 1e21, 'text invalid'],
  ['text', 12345678901234567000, 'text invalid'],
  ['text', 'a\0', 'text invalid'],
  ['nullable', 'a', 'nullable min_length'],
  ['identifier', 'a\u001b[2J', 'identifier invalid'],
  ['identifier', 'a\u009b', 'identifier invalid'],
  ['identifier', 'a\u202e1', 'identifier invalid'],
  ['identifier', 'a\u200b', 'identifier invalid'],
  ['identifier', 'a\u2800', 'identifier invalid'],
  ['reference', 'a\u001bb', 'reference invalid'],
  ['reference', 'a\u202eb', 'reference invalid'],
  ['reference', 'a\u200db', 'reference invalid'],
  ['reference', 'a\u2028b', 'reference invalid'],
  ['reference', 'abcdef', 'reference max_length'],
  ['identifier', 'a\nb', 'identifier invalid'],
  ['identifier', 12.5, 'identifier invalid'],
  ['identifier', 9007199254740992, 'identifier invalid'],
  ['identifier', '.', 'identifier invalid'],
  ['identifier', ' .. ', 'identifier invalid'],
  ['part', '..', 'part invalid'],
  ['part', 1.5, 'part invalid'],
  ['identifier', 'a'.repeat(129), 'identifier max_length'],
  ['choice', 'a', 'choice invalid_choice'],
  ['choice', true, 'choice invalid_choice'],
  ['choice', {}, 'choice invalid_choice'],
  ['choice', null, 'choice null'],
  ['strict', '', 'strict invalid_choice'],
  ['flag', 1, 'flag invalid'],
  ['flag', 'true', 'flag invalid'],
  ['integer', 1.5, 'integer invalid'],
  ['integer', '1.5', 'integer invalid'],
  ['integer', true, 'integer invalid'],
  ['integer', '', 'integer invalid'],
  ['integer', -2, 'integer min_value'],
  ['integer', '100', 'integer max_value'],
  ['integer', '1'.repeat(1001), 'integer max_string_length'],
  ['decimal', '1234.5', 'decimal max_whole_digits'],
  ['decimal', '1.23456', 'decimal max_decimal_places'],
  ['decimal', '1234.56789', 'decimal max_digits'],
  ['decimal', '1e2', 'decimal invalid'],
  ['decimal', 'NaN', 'decimal invalid'],
  ['decimal', '1,5', 'decimal invalid'],
  ['decimal', '.', 'decimal invalid'],
  ['decimal', true, 'decimal invalid'],
  ['decimal', '0'.repeat(1001), 'decimal max_string_length'],
  ['money', 0.001, 'money max_decimal_places'],
  ['money', '1.001', 'money max_decimal_places'],
  ['positive', '-1', 'positive min_value'],
  ['positive', '0.00', 'positive min_value'],
  ['positive', 0, 'positive min_value'],
  ['money', '12345678901', 'money max_whole_digits'],
  ['date', '2023-02-29', 'date invalid'],
  ['date', '2024-2-9', 'date invalid'],
  ['date', '0000-01-01', 'date invalid'],
  ['date', '2024-02-28T10:00:00Z', 'date datetime'],
  ['date', 20240228, 'date invalid'],
  ['moment', '2024-02-30', 'moment invalid'],
  ['moment', '2024-02-28T10:00:00', 'moment invalid'],
  ['moment', '2024-02-28T10:00:00+24:00', 'moment invalid'],
  ['moment', '2024-02-28T10:00:60Z', 'moment invalid'],
  ['moment', '0001-01-01T00:00:00+01:00', 'moment invalid'],
  ['moment', '9999-12-31T23:59:59-01:00', 'moment invalid'],
  ['moment', '2023-02-29T10:00:00Z', 'moment invalid'],
  ['moment', '2024-02-28T24:00:00Z', 'moment invalid'],
  ['time', '24:00', 'time invalid'],
  ['time', '6:30', 'time invalid'],
  ['json', null, 'json null'],
  ['json', { a: ['\0'] }, 'json.a.0 invalid'],
  ['json', { a: 12345678901234567000 }, 'json.a invalid'],
  ['dictionary', [], 'dictionary not_a_dict'],
  ['dictionary', 'a', 'dictionary not_a_dict'],
  ['object', [], 'object.non_field_errors invalid'],
  ['object', 'a', 'object.non_field_errors invalid'],
  ['object', {}, 'object.name required'],
  ['object', { name: ' ' }, 'object.name blank'],
  ['object', { name: null }, 'object.name null'],
  ['objects', {}, 'objects.non_field_errors not_a_list'],
  ['objects', [], 'objects.non_field_errors empty'],
  [
    'objects',
    [null, 1, [], { name: 'abcdef' }],
    'objects.0 null,objects.1.non_field_errors invalid,objects.2.non_field_errors invalid,objects.3.name max_length',
  ],
  ['texts', 'a', 'texts not_a_list'],
  ['texts', ['', null, true, 'abcd'], 'texts.0 blank,texts.1 null,texts.2 invalid,texts.3 max_length'],
  ['decimals', ['100', 'x'], 'decimals.0 max_whole_digits,decimals.1 invalid'],
];

describe('reading values', () => {
  it.each(CONVERTED)('%s: %j becomes %p', (field, value, expected) => {
    expect(read({ [field]: value })).toEqual(expected === ABSENT ? {} : { [field]: expected });
  });

  it.each(REJECTED)('%s: %j is rejected', (field, value, expected) => {
    expect(read({ [field]: value })).toBe(expected);
  });

  it('treats undefined as absent', () => {
    expect(read({ text: undefined, flag: true })).toEqual({ flag: true });
  });

  it('does not change the input', () => {
    const input = { text: ' a ', objects: [{ name: 1, more: true }], texts: [1], more: 1 };
    const before = structuredClone(input);
    expect(read(input)).toEqual({ text: 'a', objects: [{ name: '1' }], texts: ['1'] });
    expect(input).toEqual(before);
  });

  it('returns the input itself if nothing has to be converted', () => {
    const input = { text: 'a', objects: [{ name: 'b' }] };
    expect(read(input)).toBe(input);
  });
});

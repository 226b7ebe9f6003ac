/** A stable code of an error about a field, with its explanation and its correction. */
export interface FieldCode {
  readonly code: string;
  readonly explanation: string;
  readonly fix: string;
}

/** The codes of field checks that do not depend on a single field's format. */
export const FIELD_CODES: readonly FieldCode[] = [
  {
    code: 'required',
    explanation: 'A required field is missing.',
    fix: 'Send the field, or leave out the optional object that contains it.',
  },
  {
    code: 'null',
    explanation: 'The value is null where null has no meaning.',
    fix: 'Leave the field out of the object, or the member out of the list.',
  },
  { code: 'blank', explanation: 'A required text is empty or blank.', fix: 'Send a text that is not blank.' },
  {
    code: 'invalid',
    explanation: 'The value does not have the type or the format of the field.',
    fix: 'Send a value of the documented type; the detail of the error says which.',
  },
  {
    code: 'invalid_choice',
    explanation: 'The value is not one of the published values.',
    fix: 'Send one of the published values, exactly as written.',
  },
  {
    code: 'min_length',
    explanation: 'The text is shorter than the field allows.',
    fix: 'Send at least the documented number of characters.',
  },
  {
    code: 'max_length',
    explanation: 'The text or the list is longer than the field allows.',
    fix: 'Shorten the text, or split the list between requests.',
  },
  {
    code: 'max_string_length',
    explanation: 'The number is written with too many characters.',
    fix: 'Send the number without superfluous digits.',
  },
  {
    code: 'min_value',
    explanation: 'The number is smaller than the field allows.',
    fix: 'Send the documented minimum or more.',
  },
  {
    code: 'max_value',
    explanation: 'The number is larger than the field allows.',
    fix: 'Send the documented maximum or less.',
  },
  {
    code: 'max_digits',
    explanation: 'The decimal has too many digits.',
    fix: 'Send a decimal within the documented digits. Values are never rounded.',
  },
  {
    code: 'max_decimal_places',
    explanation: 'The decimal has too many digits after the point.',
    fix: 'Round the value before you send it. Values are never rounded here.',
  },
  {
    code: 'max_whole_digits',
    explanation: 'The decimal has too many digits before the point.',
    fix: 'Send a decimal within the documented digits.',
  },
  {
    code: 'datetime',
    explanation: 'A datetime was sent for a plain date.',
    fix: 'Send the date alone, as YYYY-MM-DD.',
  },
  {
    code: 'not_a_list',
    explanation: 'The value is not a JSON list.',
    fix: 'Send a list, also for one member.',
  },
  { code: 'not_a_dict', explanation: 'The value is not a JSON object.', fix: 'Send an object.' },
  {
    code: 'empty',
    explanation: 'The list is empty.',
    fix: 'Send at least one member, or leave the list out.',
  },
  {
    code: 'max_nesting',
    explanation: 'Objects and lists are nested too deeply.',
    fix: 'Send flatter data.',
  },
  {
    code: 'unknown_field',
    explanation: 'The field is not part of the contract, and the supplier is set to reject such fields.',
    fix: 'Correct the name of the field, or leave it out.',
  },
  {
    code: 'too_many_errors',
    explanation: 'There are more errors than a response lists.',
    fix: 'Correct the listed errors and validate again.',
  },
];

import { DigitCounts, doubtAbout } from './doubtful-text';

describe('A text', () => {
  it.each([
    ['MÃ¼ller', 'wrong_encoding'],
    ['StraÃŸe 5', 'wrong_encoding'],
    ['D’Arcy', undefined],
    ['Dâ€™Arcy', 'wrong_encoding'],
    ['5 Â£', 'wrong_encoding'],
    ['CafÃ©', 'wrong_encoding'],
    ['Mï¿½ller', 'wrong_encoding'],
    ['Å‚ukasz', 'wrong_encoding'],
    ['Müller', undefined],
    ['Łukasz', undefined],
    ['ÉCOLE – Ã', undefined],
    ['São João', undefined],
    ['?ukasz', 'lost_letter'],
    ['M?ller', 'lost_letter'],
    ['Anna ?ukasz', 'lost_letter'],
    ['Why?', undefined],
    ['Why? Because', undefined],
    ['???', undefined],
    ['https://example.org/a?b=c', undefined],
    ['1.23457E+15', 'rounded_number'],
    ['1,23457E+15', 'rounded_number'],
    ['1E-05', 'rounded_number'],
    ['12E45', undefined],
    ['FLAT 1E+2', undefined],
    ['#N/A', 'spreadsheet_error'],
    ['#REF!', 'spreadsheet_error'],
    ['# 5', undefined],
    ['NULL', 'null_text'],
    ['(null)', 'null_text'],
    ['\\N', 'null_text'],
    ['Null', undefined],
    ['Nullmeyer', undefined],
    ['N', undefined],
    ['=SUM(A1:A2)', 'formula'],
    ['=1+1', 'formula'],
    ['+44 20', undefined],
    ['-5', undefined],
  ])('%s is doubtful: %s', (text, doubt) => {
    expect(doubtAbout(text)).toBe(doubt);
  });
});

describe('Numbers of a column', () => {
  const lost = (column: string, texts: readonly string[]) => {
    const counts = new DigitCounts(column);
    texts.forEach((text, index) => {
      counts.add(text, index + 2);
    });
    return counts.lostZeros();
  };

  it('have lost zeros if few of them are shorter than the others', () => {
    const numbers = ['12345678', '23456789', '1234567', '45678901', '56789012'];
    expect(lost('COMPNO', numbers)).toEqual({ count: 1, row: 4, text: '1234567' });
    expect(lost('PLZ', ['12345', '1067', '80331', '10115', '20095'])).toEqual({
      count: 1,
      row: 3,
      text: '1067',
    });
  });

  it.each([
    ['a value begins with 0', ['12345678', '01234567', '1234567', '34567890', '45678901']],
    ['all have the same length', ['12345678', '23456789']],
    ['they have all lengths', ['1', '22', '333', '4444', '12345678']],
    ['many are shorter', ['12345678', '1234567', '2345678']],
    ['they are short', ['1234', '123', '2345', '3456', '4567']],
    ['some are no numbers', ['12345678', '23456789', '1234567', '45678901', 'A']],
    ['there are none', []],
  ])('have not if %s', (_, texts) => {
    expect(lost('NUMBER', texts)).toBeUndefined();
  });
});

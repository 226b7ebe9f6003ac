import { load } from '@portage/testing/settings';

const read = (PUBLIC_HOSTS: string) => load({ PUBLIC_HOSTS }).PUBLIC_HOSTS;

describe('PUBLIC_HOSTS', () => {
  it('is a list of host names, in lower case', () => {
    expect(read('Portage.Example.com, import.internal.example.com')).toEqual([
      'portage.example.com',
      'import.internal.example.com',
    ]);
    expect(read('')).toBeUndefined();
  });

  it.each([
    '*',
    '*.example.com',
    'https://portage.example.com',
    'portage.example.com:443',
    'portage.example.com,*',
    'a..b',
    '-a.example',
    'a b.c',
  ])('is not %j', (text) => {
    expect(() => read(text)).toThrow('PUBLIC_HOSTS: must be host names');
  });
});

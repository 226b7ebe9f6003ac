import { Choice } from './decorators';

const COLOURS = ['RED', 'BLUE', ''] as const;

class Paint {
  @Choice('Colour.', COLOURS, { default: '', example: 'BLUE' }) colour?: (typeof COLOURS)[number] | null;

  // @ts-expect-error -- no default is compiled that is not one of the values
  @Choice('Colour.', COLOURS, { default: 'REDD' }) misspeltDefault?: (typeof COLOURS)[number];

  // @ts-expect-error -- the type of the property has to be that of the values
  @Choice('Colour.', COLOURS) anyText?: string;
}

it('a comparison with a value that a choice does not have is not compiled', () => {
  const { colour } = new Paint();
  expect(colour === 'BLUE').toBe(false);
  // @ts-expect-error -- not one of the values
  expect(colour === 'BLEU').toBe(false);
});

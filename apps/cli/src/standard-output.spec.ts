import { drawValue } from './output';
import { print, printMessage } from './standard-output';

const HOSTILE = 'Maeve\u001b]0;title\u0007\u009b2J\u202e\u200b\rnext';
const ESCAPED = 'Maeve\\u001b]0;title\\u0007\\u009b2J\\u202e\\u200b\\u000dnext';

async function printed(text: string): Promise<string> {
  const write = jest.spyOn(process.stdout, 'write').mockImplementation(((_text: string, done: () => void) => {
    done();
    return true;
  }) as never);
  try {
    expect(await print(text)).toBe(true);
    return write.mock.calls.map(([written]) => written).join('');
  } finally {
    write.mockRestore();
  }
}

it('escapes control, bidirectional and zero-width characters on standard output', async () => {
  expect(await printed(`${HOSTILE}\n`)).toBe(`${ESCAPED}\n`);
});

it('escapes them in JSON, which means the same', async () => {
  const text = await printed(`${JSON.stringify({ note: HOSTILE }, undefined, 2)}\n`);
  expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  expect(JSON.parse(text)).toEqual({ note: HOSTILE });
});

it('escapes them on standard error', () => {
  const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    printMessage(`${HOSTILE}\n`);
    expect(write.mock.calls).toEqual([[`${ESCAPED}\n`]]);
  } finally {
    write.mockRestore();
  }
});

it('lays tables out by what is shown', async () => {
  for (const drawn of [
    drawValue([{ name: HOSTILE }, { name: 'x' }]),
    drawValue({ name: HOSTILE, other: 'x' }),
  ]) {
    expect(drawn).toContain(ESCAPED);
    expect(new Set(drawn.split('\n').map((line) => line.length)).size).toBe(1);
    expect(await printed(drawn)).toBe(drawn);
  }
});

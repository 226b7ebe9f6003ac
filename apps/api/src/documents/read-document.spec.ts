import { PortageError } from '@portage/platform';
import { readDocument } from './read-document';

async function read(chunks: (Buffer | 'idle' | PortageError | undefined)[], maxMs?: number): Promise<string> {
  const next = async () => {
    const chunk = chunks.shift();
    if (chunk instanceof PortageError) throw chunk;
    // Time passes only between two turns.
    await new Promise((resolve) => setTimeout(resolve, 2));
    return chunk;
  };
  const parts: Buffer[] = [];
  for await (const part of readDocument({ read: next }, maxMs)) parts.push(part);
  return Buffer.concat(parts).toString();
}

it('a document is read to its end, through pauses', async () => {
  expect(await read([Buffer.from('a'), 'idle', Buffer.from('b'), undefined])).toBe('ab');
});

it('a sender that stalls is told that nothing was stored', async () => {
  const stalled = new PortageError('upload_stalled', 'What was read is stored.');
  await expect(read([Buffer.from('a'), stalled])).rejects.toMatchObject({
    code: 'upload_stalled',
    detail: 'Nothing was sent for 30 s. Nothing was stored. Send the whole document again.',
  });
});

it('a sender that trickles is ended', async () => {
  const trickle = Array.from({ length: 100 }, () => Buffer.from('a'));
  await expect(read(trickle, 20)).rejects.toMatchObject({ code: 'upload_stalled' });
});

it('a lost connection ends the document', async () => {
  const lost = new PortageError('parse_error', 'The connection was lost.');
  await expect(read([Buffer.from('a'), lost])).rejects.toBe(lost);
});

it('a document without bytes is refused', async () => {
  await expect(read([undefined])).rejects.toMatchObject({ code: 'parse_error' });
});

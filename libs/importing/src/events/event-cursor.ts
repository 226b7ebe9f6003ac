import type { EventPosition } from '@portage/database';

/** TEMPORARY. */
export function encodeCursor(position: EventPosition): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

export function decodeCursor(text: string): EventPosition | undefined {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString()) as EventPosition;
  } catch {
    return undefined;
  }
}

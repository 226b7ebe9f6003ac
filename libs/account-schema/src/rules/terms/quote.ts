import { excerpt } from '../../compiler/fault';

/** A value as a sentence may repeat it: in quotes, and in 40 characters at most. */
export function quote(value: string): string {
  return `"${excerpt(value)}"`;
}

import { excerpt } from '../../compiler/fault';

/** Quotes a value for a sentence, with at most 40 of its characters. */
export function quote(value: string): string {
  return `"${excerpt(value)}"`;
}

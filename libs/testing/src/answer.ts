/** An answer of the API that has been read completely. */
export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read fields of any answer
  body: any;
  text: string;
  bytes: Buffer;
}

/** A number for each line of a file, in an array that grows. Lines that have none have 0. */
export class LineNumbers<A extends Uint8Array | Uint16Array | Uint32Array> {
  private lineCount = 0;

  constructor(private values: A) {}

  /** The highest line that has a number. */
  get last(): number {
    return this.lineCount;
  }

  get(line: number): number {
    return this.values[line] ?? 0;
  }

  set(line: number, value: number): void {
    if (line >= this.values.length) {
      const Type = this.values.constructor as new (length: number) => A;
      const grown = new Type(Math.max(line + 1, this.values.length * 2));
      grown.set(this.values);
      this.values = grown;
    }
    this.values[line] = value;
    this.lineCount = Math.max(this.lineCount, line);
  }
}

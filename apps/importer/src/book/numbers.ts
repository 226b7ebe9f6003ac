/** Whole numbers below 2^32 by line or row, 4 bytes for each; 0 where none was set. */
export class Numbers {
  private values = new Uint32Array(1024);

  set(at: number, value: number): void {
    if (at >= this.values.length) {
      const grown = new Uint32Array(Math.max(at + 1, this.values.length * 2));
      grown.set(this.values);
      this.values = grown;
    }
    this.values[at] = value;
  }

  get(at: number): number {
    return this.values[at] ?? 0;
  }
}

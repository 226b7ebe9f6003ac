/** A set of small whole numbers, with a bit for each. */
export class Bits {
  private bytes = new Uint8Array(1024);

  add(value: number): void {
    const at = value >>> 3;
    if (at >= this.bytes.length) {
      const grown = new Uint8Array(Math.max(at + 1, this.bytes.length * 2));
      grown.set(this.bytes);
      this.bytes = grown;
    }
    this.bytes[at] = (this.bytes[at] as number) | (1 << (value & 7));
  }

  has(value: number): boolean {
    return ((this.bytes[value >>> 3] ?? 0) & (1 << (value & 7))) !== 0;
  }
}

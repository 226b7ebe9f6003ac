/** A queue with a fast `shift`. The `shift` of a large array moves all of its elements. */
export class Fifo<T> {
  private items: T[] = [];
  private head = 0;

  get size(): number {
    return this.items.length - this.head;
  }

  push(item: T): void {
    this.items.push(item);
  }

  /** The element at `position` from the front. */
  at(position: number): T | undefined {
    return this.items[this.head + position];
  }

  shift(): T | undefined {
    if (this.size === 0) return undefined;
    const item = this.items[this.head];
    this.head += 1;
    if (this.head > 1024 && this.head * 2 > this.items.length) {
      this.items = this.items.slice(this.head);
      this.head = 0;
    }
    return item;
  }

  *[Symbol.iterator](): Generator<T> {
    for (let position = this.head; position < this.items.length; position++) yield this.items[position] as T;
  }
}

/** Issues the numbers in the ids of a shop's objects: each once, whatever its type. */
export class IdSequence {
  /** @param last the number before the first one issued */
  constructor(private last: number) {}

  /** The next number. */
  next(): number {
    return ++this.last;
  }
}

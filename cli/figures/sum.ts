/** A sum of many small parts that loses none of them (Neumaier). */
export class Sum {
  private sum = 0;
  private lost = 0;
  add(part: number): void {
    const next = this.sum + part;
    this.lost += Math.abs(this.sum) >= Math.abs(part) ? this.sum - next + part : part - next + this.sum;
    this.sum = next;
  }
  get value(): number {
    return this.sum + this.lost;
  }
}

/**
 * Gradients of the rows of a large table that a batch touched, equal rows added up in the order of the batch. Reuses its
 * memory from step to step.
 */
export class RowGradients {
  private readonly width: number;
  private readonly places = new Map<number, number>();
  private data = new Float32Array(0);

  constructor(width: number) {
    this.width = width;
  }

  clear(): void {
    this.places.clear();
  }

  add(rows: Int32Array, gradients: Float32Array): void {
    const { width } = this;
    for (let i = 0; i < rows.length; i++) {
      // Padding is row 0. Its gradient is zero, but adding it up would be a large part of the work.
      if (rows[i] === 0) continue;
      const start = this.placeOf(rows[i]!) * width;
      for (let k = 0; k < width; k++) this.data[start + k]! += gradients[i * width + k]!;
    }
  }

  /** All gradients behind one another. */
  values(): Float32Array {
    return this.data.subarray(0, this.places.size * this.width);
  }

  forEachRow(visit: (row: number, gradient: Float32Array) => void): void {
    for (const [row, place] of this.places)
      visit(row, this.data.subarray(place * this.width, (place + 1) * this.width));
  }

  private placeOf(row: number): number {
    const known = this.places.get(row);
    if (known !== undefined) return known;
    const place = this.places.size;
    this.places.set(row, place);
    const needed = (place + 1) * this.width;
    if (needed > this.data.length) {
      const larger = new Float32Array(2 * needed);
      larger.set(this.data);
      this.data = larger;
    }
    this.data.fill(0, place * this.width, needed);
    return place;
  }
}

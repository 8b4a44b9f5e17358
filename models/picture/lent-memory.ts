/** A larger piece is left to the engine: it belongs to a large picture, and these are rare. */
const mostBytesOfPiece = 4 << 20
/** Beyond this all that is kept is given up: it was kept for pictures of other sizes. */
const mostBytesKept = 16 << 20

/**
 * Memory for one picture after the other. [Note: Lent memory] What is made of a picture on its way to the networks takes twice what the
 * picture takes itself. Made anew each time, it had the engine collect all memory at every second picture, for a seventh of the time.
 * What is lent is not cleared; no two pieces that are lent at a time are one; `takeBack` ends every loan.
 */
export class LentMemory {
  #lent: ArrayBuffer[] = []
  /** By their length in bytes. */
  readonly #free = new Map<number, ArrayBuffer[]>()
  #bytesFree = 0

  floats(count: number): Float32Array<ArrayBuffer> {
    return new Float32Array(this.#take(4 * count), 0, count)
  }

  words(count: number): Uint32Array<ArrayBuffer> {
    return new Uint32Array(this.#take(4 * count), 0, count)
  }

  /** Whoever still holds a piece must not read it any more. */
  takeBack(): void {
    for (const piece of this.#lent) if (piece.byteLength <= mostBytesOfPiece) this.#keep(piece)
    this.#lent = []
  }

  #take(bytes: number): ArrayBuffer {
    const kept = this.#free.get(bytes)?.pop()
    if (kept !== undefined) this.#bytesFree -= bytes
    const piece = kept ?? new ArrayBuffer(bytes)
    this.#lent.push(piece)
    return piece
  }

  #keep(piece: ArrayBuffer): void {
    const { byteLength } = piece
    if (this.#bytesFree + byteLength > mostBytesKept) {
      this.#free.clear()
      this.#bytesFree = 0
    }
    const same = this.#free.get(byteLength)
    if (same === undefined) this.#free.set(byteLength, [piece])
    else same.push(piece)
    this.#bytesFree += byteLength
  }
}

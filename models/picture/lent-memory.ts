/** A larger piece is left to the engine: it belongs to a large picture, and these are rare. */
const mostBytesOfPiece = 4 << 20
/** Beyond this all that is kept is given up: it was kept for pictures of other sizes. */
const mostBytesKept = 16 << 20

/** Bytes of a buffer that others use as well; `start` is a multiple of 16. */
export interface Part {
  readonly buffer: ArrayBuffer
  readonly start: number
  readonly end: number
}

/** Vectors are read where they lie. */
const multiple = 16

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
  /** What is lent first, and where the rest of it begins. */
  #part: Part | undefined
  #next = 0

  /** Lends of a buffer as long as it reaches. Nothing may be lent. */
  takeFrom(part: Part): void {
    this.#part = part
    this.#next = part.start
  }

  floats(count: number): Float32Array<ArrayBuffer> {
    return new Float32Array(...this.#take(4 * count), count)
  }

  words(count: number): Uint32Array<ArrayBuffer> {
    return new Uint32Array(...this.#take(4 * count), count)
  }

  /** Whoever still holds a piece must not read it any more. */
  takeBack(): void {
    for (const piece of this.#lent) if (piece.byteLength <= mostBytesOfPiece) this.#keep(piece)
    this.#lent = []
    this.#next = this.#part?.start ?? 0
  }

  /** A buffer, and where in it. */
  #take(bytes: number): [ArrayBuffer, number] {
    const part = this.#part
    if (part !== undefined && this.#next + bytes <= part.end) {
      const at = this.#next
      this.#next = at + Math.ceil(bytes / multiple) * multiple
      return [part.buffer, at]
    }
    const kept = this.#free.get(bytes)?.pop()
    if (kept !== undefined) this.#bytesFree -= bytes
    const piece = kept ?? new ArrayBuffer(bytes)
    this.#lent.push(piece)
    return [piece, 0]
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

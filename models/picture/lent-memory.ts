/** Larger blocks are left to the engine. They belong to large pictures, which are rare. */
const mostBytesOfPiece = 4 << 20
/** When the cache exceeds this size, all blocks are dropped, since they probably belong to pictures of other sizes. */
const mostBytesKept = 16 << 20

/** Part of a buffer that is shared with other users. `start` is a multiple of 16. */
export interface Part {
  readonly buffer: ArrayBuffer
  readonly start: number
  readonly end: number
}

/** The alignment that vector instructions require. */
const multiple = 16

/**
 * Reuses memory across pictures. [Note: Lent memory] The data derived from a picture for the networks takes up twice the memory of the picture.
 * When it was allocated each time, the engine collected garbage for every second picture, which took a seventh of the time. Lent memory is not
 * cleared, lent blocks never overlap, and `takeBack` ends all loans.
 */
export class LentMemory {
  #lent: ArrayBuffer[] = []
  /** Free blocks, keyed by their length in bytes. */
  readonly #free = new Map<number, ArrayBuffer[]>()
  #bytesFree = 0
  /** The buffer to lend from first, and the offset of its unused rest. */
  #part: Part | undefined
  #next = 0

  /** Lends from this buffer as long as it has room. Must not be called while anything is on loan. */
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

  /** After this call, previously lent blocks must no longer be read. */
  takeBack(): void {
    for (const piece of this.#lent) if (piece.byteLength <= mostBytesOfPiece) this.#keep(piece)
    this.#lent = []
    this.#next = this.#part?.start ?? 0
  }

  /** Returns a buffer and an offset into it. */
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

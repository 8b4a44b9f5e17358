/** Reads flatbuffers, i.e. tables with fields that are found through a table of offsets. */
export class FlatTable {
  private readonly view: DataView

  constructor(
    private readonly bytes: Uint8Array,
    private readonly at: number,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  static root(bytes: Uint8Array): FlatTable {
    return new FlatTable(bytes, new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true))
  }

  /** A field's position, or 0 if the writer omitted it because it has its default value. */
  private find(field: number): number {
    const vtable = this.at - this.view.getInt32(this.at, true)
    const slot = 4 + 2 * field
    if (slot >= this.view.getUint16(vtable, true)) return 0
    const offset = this.view.getUint16(vtable + slot, true)
    return offset === 0 ? 0 : this.at + offset
  }

  private follow(position: number): number {
    return position + this.view.getUint32(position, true)
  }

  byte(field: number): number {
    const at = this.find(field)
    return at ? this.view.getInt8(at) : 0
  }

  int(field: number): number {
    const at = this.find(field)
    return at ? this.view.getInt32(at, true) : 0
  }

  table(field: number): FlatTable | undefined {
    const at = this.find(field)
    return at ? new FlatTable(this.bytes, this.follow(at)) : undefined
  }

  tables(field: number): FlatTable[] {
    return this.items(field, (at) => new FlatTable(this.bytes, this.follow(at)))
  }

  ints(field: number): number[] {
    return this.items(field, (at) => this.view.getInt32(at, true))
  }

  /** Returns a copy, since typed arrays must start at a multiple of their element size. */
  data(field: number): Uint8Array {
    const at = this.find(field)
    if (!at) return new Uint8Array(0)
    const start = this.follow(at)
    return new Uint8Array(this.bytes.subarray(start + 4, start + 4 + this.view.getUint32(start, true)))
  }

  private items<T>(field: number, read: (at: number) => T): T[] {
    const at = this.find(field)
    if (!at) return []
    const start = this.follow(at)
    const length = this.view.getUint32(start, true)
    return Array.from({ length }, (_, index) => read(start + 4 + 4 * index))
  }
}

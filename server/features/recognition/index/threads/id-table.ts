const empty = -1
const firstCapacity = 64

/** Maps an ID of 16 random bytes to its row. Uses 8 to 16 bytes per row. */
export interface IdTable {
  find(id: Uint8Array): number | undefined
  /** Adds a new ID's row. False if the ID already has one. */
  add(id: Uint8Array, row: number): boolean
  /** Changes an existing ID's row. */
  move(id: Uint8Array, row: number): void
  remove(id: Uint8Array): void
}

/**
 * Open addressing with linear probing (Knuth, The Art of Computer Programming 3, 6.4). The IDs are in `memory`, at the
 * offset that `placeOf` returns for a row.
 */
export function createIdTable(memory: () => Uint8Array, placeOf: (row: number) => number): IdTable {
  let slots = new Int32Array(firstCapacity).fill(empty)
  let size = 0

  const home = (bytes: Uint8Array, at: number) => wordAt(bytes, at) & (slots.length - 1)
  const next = (slot: number) => (slot + 1) & (slots.length - 1)

  /** The ID's slot, or the free slot for it. */
  function slotOf(id: Uint8Array): number {
    const known = memory()
    let slot = home(id, 0)
    while (slots[slot] !== empty && !isAt(known, placeOf(slots[slot]!), id)) slot = next(slot)
    return slot
  }

  /** Moves later entries up so that none becomes unreachable. */
  function close(gap: number): void {
    const known = memory()
    let free = gap
    for (let slot = next(free); slots[slot] !== empty; slot = next(slot)) {
      const distance = (slot - home(known, placeOf(slots[slot]!))) & (slots.length - 1)
      if (distance < ((slot - free) & (slots.length - 1))) continue
      slots[free] = slots[slot]!
      free = slot
    }
    slots[free] = empty
  }

  return {
    find(id) {
      const row = slots[slotOf(id)]!
      return row === empty ? undefined : row
    },
    add(id, row) {
      if ((size + 1) * 2 > slots.length) {
        const known = memory()
        slots = doubleSlots(slots, (row) => wordAt(known, placeOf(row)))
      }
      const slot = slotOf(id)
      if (slots[slot] !== empty) return false
      size++
      slots[slot] = row
      return true
    },
    move(id, row) {
      slots[slotOf(id)] = row
    },
    remove(id) {
      const slot = slotOf(id)
      if (slots[slot] === empty) return
      size--
      close(slot)
    },
  }
}

/** An ID's preferred slot. Its bytes are random. */
function wordAt(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 5]! << 8) | (bytes[at + 10]! << 16) | (bytes[at + 15]! << 24)
}

/** IDs are unique, so each one takes the next free slot. */
function doubleSlots(slots: Int32Array, wordOf: (row: number) => number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(slots.length * 2).fill(empty)
  const last = larger.length - 1
  for (const row of slots) {
    if (row === empty) continue
    let slot = wordOf(row) & last
    while (larger[slot] !== empty) slot = (slot + 1) & last
    larger[slot] = row
  }
  return larger
}

function isAt(memory: Uint8Array, place: number, id: Uint8Array): boolean {
  for (let i = 0; i < id.length; i++) if (memory[place + i] !== id[i]) return false
  return true
}

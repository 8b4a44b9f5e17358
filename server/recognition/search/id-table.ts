const empty = -1
const firstCapacity = 64

/** Finds the row of an id of 16 random bytes; takes eight to sixteen bytes a row. */
export interface IdTable {
  find(id: Uint8Array): number | undefined
  set(id: Uint8Array, row: number): void
  remove(id: Uint8Array): void
}

/** Open addressing with linear steps (Knuth, The Art of Computer Programming 3, 6.4); `idAt` gives the id of a row. */
export function createIdTable(idAt: (row: number) => Uint8Array): IdTable {
  let slots = new Int32Array(firstCapacity).fill(empty)
  let size = 0

  const home = (id: Uint8Array) =>
    (id[0]! | (id[5]! << 8) | (id[10]! << 16) | (id[15]! << 24)) & (slots.length - 1)
  const next = (slot: number) => (slot + 1) & (slots.length - 1)

  /** The slot of the id, or the free one where it belongs. */
  function slotOf(id: Uint8Array): number {
    let slot = home(id)
    while (slots[slot] !== empty && !sameBytes(idAt(slots[slot]!), id)) slot = next(slot)
    return slot
  }

  function grow(): void {
    const rows = slots.filter((row) => row !== empty)
    slots = new Int32Array(slots.length * 2).fill(empty)
    for (const row of rows) slots[slotOf(idAt(row))] = row
  }

  /** Those behind a gap move up, so that none is cut off from its home. */
  function close(gap: number): void {
    let free = gap
    for (let slot = next(free); slots[slot] !== empty; slot = next(slot)) {
      const distance = (slot - home(idAt(slots[slot]!))) & (slots.length - 1)
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
    set(id, row) {
      let slot = slotOf(id)
      if (slots[slot] === empty) {
        size++
        if (size * 2 > slots.length) {
          grow()
          slot = slotOf(id)
        }
      }
      slots[slot] = row
    },
    remove(id) {
      const slot = slotOf(id)
      if (slots[slot] === empty) return
      size--
      close(slot)
    },
  }
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

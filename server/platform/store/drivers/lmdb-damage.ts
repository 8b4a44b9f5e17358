import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'

/**
 * Offsets within the file, in bytes. Each page begins with a header: its number, the transaction that wrote it, flags, and
 * its nodes' position.
 */
const header = { bytes: 24, number: 0, transaction: 8, flags: 18, nodesEnd: 20 } as const
const meta = { pageSize: 48, freeRoot: 88, mainRoot: 136, transaction: 152, bytes: 160 } as const
const flag = { branch: 1, leaf: 2, overflow: 4 } as const
const nodeFlag = { bigValue: 1 } as const
const node = { flags: 4, keyLength: 6, key: 8 } as const
const rootInTree = 40
const pageSizes = [512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536]
const mostTries = 5
/** Headers within this many pages of each other are read together, up to this many bytes. */
const nearPages = 16
const bytesAtOnce = 2 ** 20

/** The environment's root record. The file begins with two of them, which commits write alternately. */
interface Meta {
  readonly pageSize: number
  readonly transaction: number
  readonly roots: readonly number[]
}

interface Pages {
  readonly size: number
  readonly count: number
  /** The last committed transaction. No valid page is newer. */
  readonly transaction: number
  /** Reads a page into a buffer that the next call overwrites; undefined if the file ends before the page. */
  read(page: number): Buffer | undefined
  /** Reads only a page's header, in the same way. Fastest in file order. */
  readHeader(page: number): Buffer | undefined
}

/**
 * [Note: Damage is not mended] A disk that lost acknowledged writes may have lost the last commit, and with it a
 * revocation or an erasure that was already confirmed. The file is left unchanged, and operators restore a backup.
 * @throws if pages of the last commit are missing or torn
 */
export function refuseDamage(path: string): void {
  const isNew = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0
  const page = isNew ? undefined : findDamage(path)
  if (page === undefined) return
  throw new Error(
    `The store is damaged: page ${page} of ${path} is missing or torn. Nothing was changed. Restore the latest backup into a new DATA_DIR: docs/upkeep.md.`,
  )
}

/**
 * Checks an LMDB environment's file, as of its last commit, for missing or torn pages, and returns the first one's number.
 * Verifies that the values' pages exist, but not their content.
 * [Note: A file is looked through before it is mapped] Reading past the end of the file through the map kills the
 * process, and LMDB follows the pointers of a torn page wherever they lead. If another process commits during the check,
 * the file is checked again. A process that keeps committing has checked the file itself when it opened it.
 * [Note: Big values are looked at in the order of the file] A million faces have a page each, in random order. Following
 * them one by one would cost a million seeks.
 */
export function findDamage(path: string): number | undefined {
  const file = openSync(path, 'r')
  try {
    for (let tries = 0; tries < mostTries; tries++) {
      const last = lastMeta(file)
      if (last === undefined) return 0
      const damaged = damageBelow(pagesOf(file, last), last.roots)
      if (damaged === undefined || lastMeta(file)?.transaction === last.transaction) return damaged
    }
    return undefined
  } finally {
    closeSync(file)
  }
}

/** The newest root record; undefined if the beginning of the file is incomplete. */
function lastMeta(file: number): Meta | undefined {
  const first = readMeta(file, 0)
  const second = first && readMeta(file, first.pageSize)
  if (first === undefined || second === undefined) return undefined
  return first.transaction >= second.transaction ? first : second
}

function readMeta(file: number, position: number): Meta | undefined {
  const bytes = readAt(file, position, Buffer.alloc(meta.bytes))
  if (bytes === undefined) return undefined
  const pageSize = bytes.readUInt32LE(meta.pageSize)
  if (!pageSizes.includes(pageSize)) return undefined
  const transaction = numberAt(bytes, meta.transaction)
  return {
    pageSize,
    transaction,
    roots: [meta.freeRoot, meta.mainRoot].flatMap((at) => rootAt(bytes, at)),
  }
}

/** A tree's root page; empty if the tree is empty. */
function rootAt(bytes: Buffer, at: number): number[] {
  const isEmpty = bytes.readUInt32LE(at) === 0xffffffff
  return isEmpty ? [] : [numberAt(bytes, at)]
}

function damageBelow(pages: Pages, roots: readonly number[]): number | undefined {
  const open = [...roots]
  const values: number[] = []
  let left = pages.count
  for (let page = open.pop(); page !== undefined; page = open.pop()) {
    const bytes = pages.read(page)
    const isRound = left-- === 0
    if (bytes === undefined || isRound || !isPage(bytes, page, flag.branch | flag.leaf, pages)) return page
    const isBranch = (bytes.readUInt16LE(header.flags) & flag.branch) !== 0
    for (const at of nodesOf(bytes)) {
      if (at + node.key > pages.size) return page
      if (isBranch) open.push(numberAt(bytes, at))
      else {
        const damaged = damageInLeaf(pages, bytes, at, { open, values })
        if (damaged !== undefined) return damaged === 'here' ? page : damaged
      }
    }
  }
  return Float64Array.from(values)
    .sort()
    .find((page) => !isValue(pages, page))
}

/** Checks one leaf node. Queues the subtrees and big values that it points to. */
function damageInLeaf(
  pages: Pages,
  bytes: Buffer,
  at: number,
  { open, values }: { readonly open: number[]; readonly values: number[] },
): number | 'here' | undefined {
  const flags = bytes.readUInt16LE(at + node.flags)
  if (flags === 0) return undefined
  const data = at + node.key + bytes.readUInt16LE(at + node.keyLength)
  if (data + 8 > pages.size) return 'here'
  if (flags & nodeFlag.bigValue) {
    const page = numberAt(bytes, data)
    values.push(page)
    return hasRoom(pages, page, bytes.readUInt32LE(at)) ? undefined : page
  }
  if (data + rootInTree + 8 > pages.size) return 'here'
  open.push(...rootAt(bytes, data + rootInTree))
  return undefined
}

/** True if this is the requested page, is one of these kinds, and is not from a later commit. A copy made during a write may mix two. */
function isPage(bytes: Buffer, page: number, kinds: number, { transaction }: Pages): boolean {
  const isKind = (bytes.readUInt16LE(header.flags) & kinds) !== 0
  return (
    isKind && numberAt(bytes, header.number) === page && numberAt(bytes, header.transaction) <= transaction
  )
}

function nodesOf(bytes: Buffer): number[] {
  const count = Math.min(bytes.readUInt16LE(header.nodesEnd), bytes.length - header.bytes) >> 1
  return Array.from({ length: count }, (_, i) => bytes.readUInt16LE(header.bytes + 2 * i) + header.bytes)
}

/** Reads a page number. Six bytes are enough for any page number. */
function numberAt(bytes: Buffer, at: number): number {
  return bytes.readUIntLE(at, 6)
}

/** A big value begins on a new page and continues on the following pages. */
function hasRoom(pages: Pages, page: number, bytes: number): boolean {
  return page + Math.ceil((header.bytes + bytes) / pages.size) <= pages.count
}

function isValue(pages: Pages, page: number): boolean {
  const first = pages.readHeader(page)
  return first !== undefined && isPage(first, page, flag.overflow, pages)
}

function pagesOf(file: number, { pageSize: size, transaction }: Meta): Pages {
  const whole = Buffer.alloc(size)
  const room = Buffer.alloc(Math.max(size, bytesAtOnce))
  // The buffer's content, and the page at its start.
  let [first, held, last] = [0, 0, Number.NEGATIVE_INFINITY]

  function readHeader(page: number): Buffer | undefined {
    const isNear = page > last && page - last <= nearPages
    last = page
    let at = (page - first) * size
    if (at < 0 || at + header.bytes > held) {
      held = readSync(file, room, 0, isNear ? room.length : header.bytes, page * size)
      first = page
      at = 0
    }
    return held < at + header.bytes ? undefined : room.subarray(at, at + header.bytes)
  }

  return {
    size,
    transaction,
    count: Math.floor(fstatSync(file).size / size),
    read: (page) => readAt(file, page * size, whole),
    readHeader,
  }
}

function readAt(file: number, position: number, into: Buffer): Buffer | undefined {
  return readSync(file, into, 0, into.length, position) === into.length ? into : undefined
}

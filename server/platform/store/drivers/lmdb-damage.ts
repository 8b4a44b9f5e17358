import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'

/**
 * Places in the file, in bytes. Pages begin with a header: their own number, that of the transaction that wrote them,
 * flags, and where their nodes are.
 */
const header = { bytes: 24, number: 0, transaction: 8, flags: 18, nodesEnd: 20 } as const
const meta = { pageSize: 48, freeRoot: 88, mainRoot: 136, transaction: 152, bytes: 160 } as const
const flag = { branch: 1, leaf: 2, overflow: 4 } as const
const nodeFlag = { bigValue: 1 } as const
const node = { flags: 4, keyLength: 6, key: 8 } as const
const rootInTree = 40
const pageSizes = [512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536]
const mostTries = 5
/** Headers that lie so close to each other are read together, so much of the file at once. */
const nearPages = 16
const bytesAtOnce = 2 ** 20

/** What leads to everything: two stand at the beginning of the file, and commits write them in turn. */
interface Meta {
  readonly pageSize: number
  readonly transaction: number
  readonly roots: readonly number[]
}

interface Pages {
  readonly size: number
  readonly count: number
  /** The last one; no page is of a later one. */
  readonly transaction: number
  /** A page, in a buffer that the next such call overwrites; undefined where the file ends before. */
  read(page: number): Buffer | undefined
  /** Its header alone, in the same way; quickest in the order of the file. */
  readHeader(page: number): Buffer | undefined
}

/**
 * [Note: Damage is not mended] A disk that lost what it had said was written may have lost the last commit, and with it a
 * revocation or an erasure that somebody was told of: the file is left as it is, and what goes on is a backup.
 * @throws where pages of the last commit are missing or torn
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
 * Looks through the file of an LMDB environment, as its last commit left it, for pages that are missing or torn; answers
 * the number of the first. Content of values is not looked at, only that their pages are there.
 * [Note: A file is looked through before it is mapped] Where the file ends too soon, reading it through the map ends the
 * process; and what stands in a torn page is followed wherever it leads. Where another process commits meanwhile, it is
 * looked through again; a process that keeps committing has opened the file itself, and so found it whole.
 * [Note: Big values are looked at in the order of the file] A million faces have a page each, in no order: one by one they would be a million
 * places of the disk.
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

/** What the last commit has left; undefined where the file has no whole beginning. */
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

/** The root of a tree; none where it is empty. */
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

/** Looks at one node of a leaf; a tree or a big value that it leads to is put among those that are still to be looked at. */
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

/** Whether this is the page that was asked for, of this kind, and not of a later commit: a copy may mix two. */
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

/** A page's number; six bytes hold any. */
function numberAt(bytes: Buffer, at: number): number {
  return bytes.readUIntLE(at, 6)
}

/** A big value begins on a page of its own, and goes on over those that follow. */
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
  // What is in the room, and the page that it begins with.
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

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const calls = [
  ...['connect', 'sendto', 'sendmsg', 'sendmmsg'],
  ...['open', 'openat', 'openat2', 'creat', 'mkdir', 'mkdirat', 'mknod', 'mknodat', 'truncate'],
  ...[
    'rename',
    'renameat',
    'renameat2',
    'link',
    'linkat',
    'symlink',
    'symlinkat',
    'unlink',
    'unlinkat',
    'rmdir',
  ],
]

/** Not every machine has every call. The question mark makes a call optional. */
const words = [
  '-D',
  '-f',
  '-qq',
  '-y',
  '-s',
  '4096',
  '-e',
  `trace=${calls.map((call) => `?${call}`)}`,
  '-e',
  'signal=none',
]

/** True if a program's system calls can be recorded on this machine, which means that strace is installed and permitted. */
const canRecord = spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0

/** [Note: A check that must not be missing] Without a recorder, a test is skipped on a developer's machine but fails on CI. */
export const skipsRecording = !canRecord && process.env.CI === undefined

/** A suffix for the names of tests that need it. */
export const needsRecorder = canRecord ? '' : ' (needs strace, which is absent or may not look)'

/** The actions of a program, including every thread and program that it started. */
export interface Record {
  /** Addresses on other machines that it wrote or connected to, and resolvers that it asked for a name. */
  readonly strangers: readonly string[]
  /** Files that it created, changed or removed. */
  readonly written: readonly string[]
}

/** The strace arguments that run a program under the recorder and let it keep its process id. */
export function recorded(file: string, command: readonly string[]): readonly string[] {
  return [...words, '-o', file, ...command]
}

/** Reads the record of a program that has ended. strace may still be writing the last few lines. */
export async function readRecord(file: string): Promise<Record> {
  let text = readFileSync(file, 'utf8')
  for (let before = ''; before !== text; text = readFileSync(file, 'utf8')) {
    before = text
    await pause(200)
  }
  const lines = text.split('\n')
  return {
    strangers: [...new Set(lines.flatMap(strangersOf))],
    written: [...new Set(lines.flatMap(writtenBy))],
  }
}

/** Name resolution caches on this machine. */
const knowsNames = /nscd|resolve|avahi|dbus|sssd/

function strangersOf(line: string): string[] {
  if (!/^\d+ +(connect|send\w+)\(/.test(line)) return []
  const sockets = [...line.matchAll(/sun_path=@?"([^"]*)"/g)].map(([, path]) => path!)
  const addresses = [...line.matchAll(/sin6?_port=htons\((\d+)\).*?"([^"]+)"/g)]
  return [
    ...sockets.filter((path) => knowsNames.test(path)),
    ...addresses
      .filter(([, port, address]) => port === '53' || !isOfThisMachine(address!))
      .map(([, port, address]) => `${address} port ${port}`),
  ]
}

function isOfThisMachine(address: string): boolean {
  return /^(::ffff:)?127\./.test(address) || address === '::1'
}

function writtenBy(line: string): string[] {
  const [, call = '', rest = ''] = /^\d+ +(\w+)\((.*)/.exec(line) ?? []
  if (/^(connect|send\w+)?$/.test(call)) return []
  if (call.startsWith('open') && !/O_(WRONLY|RDWR|CREAT)/.test(rest)) return []
  const paths = [...rest.matchAll(/(?:<([^>]*)>, )?"((?:[^"\\]|\\.)*)"/g)]
  return paths.map(([, folder = process.cwd(), path = '']) =>
    isAbsolute(path) ? resolve(path) : join(folder, path),
  )
}

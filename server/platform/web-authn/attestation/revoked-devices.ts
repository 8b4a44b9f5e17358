import { readFile } from 'node:fs/promises'
import { parseRevocationList, type RevocableDevice, type RevocationList } from './revocation-list.ts'

/** The devices that the operator has revoked in the `PASSKEY_REVOKED` file. */
export interface RevokedDevices {
  includes(device: RevocableDevice): boolean
}

/** Revoked devices that follow changes to the file. */
export interface RevocationFile extends RevokedDevices {
  /** Compares the file with the current list and applies changes. Keeps the list if the file is missing or malformed. */
  look(): Promise<void>
  /** False while the file is missing or malformed. */
  isCurrent(): boolean
  /** A summary of the current list, for the log. */
  words(): string
}

/** Reports to the operator. */
export interface RevocationLog {
  /** Reports that the file is missing or malformed, with the reason. Each mistake is reported once. */
  onMistake(words: string): void
  /** Reports that a different list has taken effect. */
  onChange(words: string): void
}

const lookEveryMilliseconds = 10_000

/** @throws {Error} that names the setting and the mistake if the file is missing or malformed */
export async function openRevokedDevices(path: string, log: RevocationLog): Promise<RevocationFile> {
  let inForce = await readList(path).catch((error: Error) => {
    throw new Error(`The settings are wrong.\n  PASSKEY_REVOKED: ${error.message}`)
  })
  let mistake: string | undefined

  function takeOver(found: ListFile): void {
    mistake = undefined
    if (found.content.equals(inForce.content)) return
    inForce = found
    log.onChange(found.list.words)
  }
  function keep({ message }: Error): void {
    if (message !== mistake) log.onMistake(message)
    mistake = message
  }

  return {
    includes: (device) => inForce.list.includes(device),
    look: () => readList(path).then(takeOver, keep),
    isCurrent: () => mistake === undefined,
    words: () => inForce.list.words,
  }
}

/**
 * Checks the file every 10 s for as long as the process runs. [Note: By content] Container file systems report neither
 * changes nor modification times reliably.
 */
export function watchRevokedDevices({ look }: Pick<RevocationFile, 'look'>): void {
  setTimeout(() => void look().then(() => watchRevokedDevices({ look })), lookEveryMilliseconds).unref()
}

interface ListFile {
  readonly content: Buffer
  readonly list: RevocationList
}

async function readList(path: string): Promise<ListFile> {
  const content = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${path} cannot be read (${error.code}).`)
  })
  try {
    return { content, list: parseRevocationList(new TextDecoder('utf-8', { fatal: true }).decode(content)) }
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`)
  }
}

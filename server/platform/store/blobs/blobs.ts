/** Bytes under an owner and a name. */
export interface Blob {
  readonly name: string
  readonly bytes: Uint8Array
}

/**
 * The port behind which larger things lie beside the records: sealed by whoever puts them there, never part of a snapshot or a backup. Owners
 * and names are of A-Z, a-z, 0-9, `_` and `-`. What may go is for whoever put it there to say.
 */
export interface Blobs {
  /** Puts bytes there whole or not at all, in place of what had the name. @throws where there is no room */
  put(owner: string, name: string, bytes: Uint8Array): Promise<void>
  /** All of an owner, by name; none where there is nothing. */
  get(owner: string): Promise<readonly Blob[]>
  /** Removes everything of an owner, or what has one of these names. */
  remove(owner: string, names?: readonly string[]): Promise<void>
  /** Everybody of whom something lies there. */
  owners(): AsyncIterable<string>
}

const fitName = /^[\w-]{1,128}$/

/** @throws on what would not be a name everywhere */
export function checkedName(name: string): string {
  if (!fitName.test(name)) throw new Error(`Nothing can be called ${JSON.stringify(name)} here.`)
  return name
}

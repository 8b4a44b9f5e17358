/** Bytes with an owner and a name. */
export interface Blob {
  readonly name: string
  readonly bytes: Uint8Array
}

/**
 * The port for larger objects stored next to the records. Callers seal the bytes. Blobs are never part of a snapshot or a
 * backup. Owners and names consist of A-Z, a-z, 0-9, `_` and `-`. The feature that wrote a blob decides when to remove
 * it.
 */
export interface Blobs {
  /** Writes either all bytes or none, replacing any blob with the same name. @throws if there is no room */
  put(owner: string, name: string, bytes: Uint8Array): Promise<void>
  /** All of an owner's blobs, by name; empty if there are none. */
  get(owner: string): Promise<readonly Blob[]>
  /** Removes all of an owner's blobs, or only those with one of these names. */
  remove(owner: string, names?: readonly string[]): Promise<void>
  /** Every owner that has at least one blob. */
  owners(): AsyncIterable<string>
}

const fitName = /^[\w-]{1,128}$/

/** @throws if the name is not valid on every backend */
export function checkedName(name: string): string {
  if (!fitName.test(name)) throw new Error(`${JSON.stringify(name)} is not a valid name of a blob.`)
  return name
}

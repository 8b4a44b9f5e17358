/** The bytes of an archive, wherever they are. */
export interface ArchiveSource {
  /** For messages: the path of a file, or the name of an archive in the database. */
  readonly called: string
  /** Reads the bytes from the beginning. @throws {Error} if there is no such archive; its message is for operators */
  read(): AsyncIterable<Buffer>
}

/** Keeps archives of audit logs by their names: in a folder, or in a table of a PostgreSQL server. */
export interface ArchivePlace {
  names(): Promise<readonly string[]>
  source(name: string): ArchiveSource
  /**
   * Puts an archive in its place, on disk when it resolves. [Note: A name means that it is whole] `prove` reads what was written before it gets its name:
   * neither a run that is killed nor another one at the same time leaves an archive of that name which is not whole.
   */
  put(
    name: string,
    content: AsyncIterable<Buffer>,
    prove: (written: ArchiveSource) => Promise<unknown>,
  ): Promise<void>
  /** Makes sure that the names of archives survive a power cut, also those that a killed run gave. */
  sync(): Promise<void>
  remove(name: string): Promise<void>
}

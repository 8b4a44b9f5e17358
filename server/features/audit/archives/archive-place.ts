/** The bytes of an archive, wherever they are stored. */
export interface ArchiveSource {
  /** For messages: the path of a file, or the name of an archive in the database. */
  readonly called: string
  /** Reads the bytes from the beginning. @throws {Error} with a message for operators if the archive does not exist */
  read(): AsyncIterable<Buffer>
}

/** Stores archives of audit logs by name: in a folder, or in a table of a PostgreSQL server. */
export interface ArchivePlace {
  names(): Promise<readonly string[]>
  source(name: string): ArchiveSource
  /**
   * Stores an archive and flushes it to disk. [Note: A name means that it is whole] `prove` reads the written bytes
   * before they get their name, so neither a killed run nor a concurrent one leaves an incomplete archive of that name.
   */
  put(
    name: string,
    content: AsyncIterable<Buffer>,
    prove: (written: ArchiveSource) => Promise<unknown>,
  ): Promise<void>
  /** Makes sure that the names of archives survive a power failure, including those that a killed run assigned. */
  sync(): Promise<void>
  remove(name: string): Promise<void>
}

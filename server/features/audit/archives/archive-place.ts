/** An archive's bytes, wherever they are stored. */
export interface ArchiveSource {
  /** For messages: a file's path, or an archive's name in the database. */
  readonly called: string
  /** Reads the bytes from the beginning. @throws {Error} with a message for operators if the archive does not exist */
  read(): AsyncIterable<Buffer>
}

/** Stores audit log archives by name: in a folder, or in a table on a PostgreSQL server. */
export interface ArchivePlace {
  names(): Promise<readonly string[]>
  source(name: string): ArchiveSource
  /**
   * Stores an archive and flushes it to disk. [Note: A name means that it is whole] `prove` reads the written bytes before
   * they get their name, so neither a killed run nor a concurrent one leaves an incomplete archive with that name.
   */
  put(
    name: string,
    content: AsyncIterable<Buffer>,
    prove: (written: ArchiveSource) => Promise<unknown>,
  ): Promise<void>
  /** Makes sure that archive names survive a power failure, including names assigned by killed runs. */
  sync(): Promise<void>
  remove(name: string): Promise<void>
}

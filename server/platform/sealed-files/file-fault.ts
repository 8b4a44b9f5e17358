/** A sealed file, of faces or of a whole store, cannot be written or read. The message says why. */
export class FileFault extends Error {}

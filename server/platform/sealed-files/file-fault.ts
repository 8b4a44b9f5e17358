/** A sealed file, of faces or of a whole store, cannot be written or read as it is; the message says why. */
export class FileFault extends Error {}

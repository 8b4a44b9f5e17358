/** A file of faces cannot be written or read as it is; the message says why. */
export class FileFault extends Error {}

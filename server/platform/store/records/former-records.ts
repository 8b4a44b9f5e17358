/** What stood in a record of 0.1.0, or of the builds before it, and is read as if it stood there today. */
type Former = Readonly<Record<string, unknown>>

/** Accounts that are older than logos have none. */
export function accountOf01(stored: Former): Former {
  return { logo: null, ...stored }
}

/** [Note: A random revision is a number too] Before 0.1.0 it was 128 bits in hexadecimal: two of 48 bits that differ still do, and counting goes on from there. */
export function collectionOf01({ revision, ...collection }: Former): Former {
  const counted = typeof revision === 'string' ? Number.parseInt(revision.slice(0, 12), 16) : revision
  return { ...collection, revision: counted }
}

/** The one event that 0.1.0 sent, to the address of a verification; it happened when its delivery was made. */
export function deliveryOf01(stored: Former): Former {
  return {
    event: 'VerificationCompleted',
    endpointId: null,
    verificationSessionId: null,
    kioskId: null,
    collectionId: null,
    occurredAt: stored.created,
    ...stored,
  }
}

/** Before 0.1.0 it was only noted that a nonce was used. */
export function nonceOf01(stored: Former | true): Former {
  return stored === true ? { sessionId: '', opener: null } : stored
}

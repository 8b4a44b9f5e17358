import type { PostgresPool, Statement } from './postgres-pool.ts'

/** Notifies other processes that there is something new to look for. */
export interface StoreHints {
  /** Notifies the other processes and this one shortly. Calls made before then share one notification. */
  give(): void
  /** Calls `tell` at each hint until the returned function is called. */
  listen(tell: () => void): () => void
  close(): Promise<void>
}

const givenAfterMilliseconds = 50
const listensAgainAfterMilliseconds = 1000

/**
 * [Note: A hint decides nothing] Every waiting process also polls, on this store as on any other. A hint only makes it look
 * sooner, and losing one costs a second. Hints are sent outside the commit they refer to, because NOTIFY within a
 * transaction serialises all of a database's commits. A single connection listens, and only while there is a listener.
 */
export function createHints(pool: PostgresPool, schema: string): StoreHints {
  const channel = schema.replaceAll('"', '')
  const notify: Statement = { name: `${schema} hint`, text: `SELECT pg_notify('${channel}', '')` }
  const listeners = new Set<() => void>()
  const ear = createEar(pool, schema, () => {
    for (const tell of listeners) tell()
  })
  let giving: NodeJS.Timeout | undefined
  let isClosed = false

  return {
    give() {
      if (isClosed) return
      giving ??= setTimeout(() => {
        giving = undefined
        void pool.query(notify).catch(() => undefined)
      }, givenAfterMilliseconds).unref()
    },
    listen(tell) {
      listeners.add(tell)
      ear.open()
      return () => {
        listeners.delete(tell)
        if (listeners.size === 0) void ear.close()
      }
    },
    async close() {
      isClosed = true
      clearTimeout(giving)
      listeners.clear()
      await ear.close()
    },
  }
}

/** The listening connection, which is reconnected when it is lost. */
function createEar(pool: PostgresPool, schema: string, onHint: () => void) {
  let again: NodeJS.Timeout | undefined
  /** Releases the connection; undefined while there are no listeners. */
  let held: Promise<(() => void) | undefined> | undefined

  async function begin(): Promise<() => void> {
    const connection = await pool.lend()
    let isHeld = true
    const letGo = () => {
      if (isHeld) connection.release(true)
      isHeld = false
    }
    connection.on('notification', onHint)
    connection.once('end', () => {
      if (!isHeld) return
      letGo()
      beginAgain()
    })
    try {
      await connection.query(`LISTEN ${schema}`)
      return letGo
    } catch (error) {
      letGo()
      throw error
    }
  }

  function beginAgain(): undefined {
    clearTimeout(again)
    again = setTimeout(() => {
      if (held !== undefined) held = begin().catch(beginAgain)
    }, listensAgainAfterMilliseconds).unref()
    return undefined
  }

  return {
    open() {
      held ??= begin().catch(beginAgain)
    },
    async close() {
      clearTimeout(again)
      const holding = held
      held = undefined
      const letGo = await holding
      clearTimeout(again)
      letGo?.()
    },
  }
}

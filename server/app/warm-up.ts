const againAfterMilliseconds = 5_000

/** Warms up the networks, and retries for as long as the server is starting. */
export async function warmUp(
  warm: () => Promise<void>,
  isStarting: () => boolean,
  onFailure: (error: unknown) => void,
): Promise<void> {
  while (isStarting()) {
    try {
      return await warm()
    } catch (error) {
      if (!isStarting()) return
      onFailure(error)
      await new Promise((over) => setTimeout(over, againAfterMilliseconds))
    }
  }
}

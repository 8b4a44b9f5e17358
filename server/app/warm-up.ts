const againAfterMilliseconds = 5_000

/** Warms the networks up, as often as it takes while the server starts. */
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

/** Polls until the result is not null, undefined or false, and returns it. Throws after `within` milliseconds. */
export async function until<Result>(
  poll: () => Promise<Result | null | undefined | false> | Result | null | undefined | false,
  within = 60_000,
): Promise<Result> {
  const deadline = Date.now() + within
  for (;;) {
    const result = await poll()
    if (result !== null && result !== undefined && result !== false) return result
    if (Date.now() > deadline) throw new Error(`Condition not met within ${within} ms: ${poll.toString()}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

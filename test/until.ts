/** Asks again and again until the answer is something, and returns it; fails when that takes longer than `within` milliseconds. */
export async function until<Answer>(
  ask: () => Promise<Answer | null | undefined | false> | Answer | null | undefined | false,
  within = 10_000,
): Promise<Answer> {
  const deadline = Date.now() + within
  for (;;) {
    const answer = await ask()
    if (answer !== null && answer !== undefined && answer !== false) return answer
    if (Date.now() > deadline) throw new Error(`It did not happen within ${within} ms: ${ask.toString()}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Spec 9. */
const idleFallback = 2000

/** Runs when the browser is idle, or after 2 seconds. Returns a function that cancels it. */
export function whenIdle(run: () => void): () => void {
  if ('requestIdleCallback' in window) {
    const handle = requestIdleCallback(run, { timeout: idleFallback })
    return () => cancelIdleCallback(handle)
  }
  const timer = setTimeout(run, idleFallback)
  return () => clearTimeout(timer)
}

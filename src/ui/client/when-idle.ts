/** Spec 9. */
const idleFallback = 2000

/** When the browser has nothing better to do, or after 2 seconds. Returns what calls it off. */
export function whenIdle(run: () => void): () => void {
  if ('requestIdleCallback' in window) {
    const handle = requestIdleCallback(run, { timeout: idleFallback })
    return () => cancelIdleCallback(handle)
  }
  const timer = setTimeout(run, idleFallback)
  return () => clearTimeout(timer)
}

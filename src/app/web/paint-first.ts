/** Milliseconds: a hidden tab paints nothing. */
const maxWait = 100

let lastPath: string | null = null
let isByPointer = false

addEventListener('pointerdown', () => (isByPointer = true), { capture: true, passive: true })
addEventListener('keydown', () => (isByPointer = false), { capture: true, passive: true })

/**
 * Lets the browser paint a click's first effect, such as the chosen entry of the sidebar, before the work of rendering the next page. After a key
 * the page is rendered at once: what someone types next is meant for it.
 */
export function paintFirst({ location: { pathname } }: { location: { pathname: string } }): Promise<void> | undefined {
  const isNextPage = lastPath !== null && pathname !== lastPath
  lastPath = pathname
  return isNextPage && isByPointer ? painted() : undefined
}

const painted = () =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, maxWait)
    requestAnimationFrame(() => setTimeout(resolve))
  })

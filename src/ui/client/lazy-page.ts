import { type ComponentType, createElement, lazy, useState } from 'react'

export interface LazyPage {
  Page: ComponentType
  /** Fetches the code ahead of time. Rejects when that fails; the page then tries again by itself. */
  preload: () => Promise<unknown>
}

/** A page whose code comes by itself. Where it has come already, the page is drawn at once: React shows what stands in for it for 300 ms at least. */
export function lazyPage(load: () => Promise<{ default: ComponentType }>): LazyPage {
  let loading: Promise<{ default: ComponentType }> | undefined
  let known: ComponentType | undefined
  const once = () => {
    loading ??= load().then(
      (code) => {
        known = code.default
        return code
      },
      (error: unknown) => {
        loading = undefined
        throw error
      },
    )
    return loading
  }
  const Awaited = lazy(once)
  function Page() {
    // Not exchanged while it stands: it would begin again.
    const [Part] = useState<ComponentType>(() => known ?? Awaited)
    return createElement(Part)
  }
  return { Page, preload: once }
}

import { type ComponentType, createElement, lazy, useState } from 'react'

export interface LazyPage {
  Page: ComponentType
  /** Preloads the code. Rejects on failure; the page then retries when opened. */
  preload: () => Promise<unknown>
}

/** A page with lazily loaded code. Once loaded, it renders immediately: React would show the fallback for at least 300 ms. */
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
    // Not replaced while mounted, which would reset its state.
    const [Part] = useState<ComponentType>(() => known ?? Awaited)
    return createElement(Part)
  }
  return { Page, preload: once }
}

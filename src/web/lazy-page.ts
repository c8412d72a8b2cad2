import { lazy, type ComponentType } from 'react'

export interface LazyPage {
  Page: ComponentType
  /** Fetches the code ahead of time. Rejects when that fails; the page then tries again by itself. */
  preload: () => Promise<unknown>
}

export function lazyPage(load: () => Promise<{ default: ComponentType }>): LazyPage {
  let loading: Promise<{ default: ComponentType }> | undefined
  const once = () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
  return { Page: lazy(once), preload: once }
}

import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { type Loadable, loadable } from '../hooks/useLoaded.ts'
import { onToasterNeeded } from './toast.ts'

const code: Loadable<typeof import('./Toaster.tsx')> = loadable(() => import('./Toaster.tsx'))

/** Loaded early: the toast for a lost connection must not depend on the connection. */
export const prepareToaster = code.prepare

/** Mounted once at the root. If the toaster fails to load, toasts wait for the next one, or for the connection. */
export function ToastHost() {
  const [loaded, setLoaded] = useState(code.known)
  useEffect(() => {
    const load = () => void code.load().then(setLoaded, () => window.addEventListener('online', load, { once: true }))
    return onToasterNeeded(load)
  }, [])
  if (!loaded) return null
  const { default: Toaster } = loaded
  // Outside the page, all of which an open dialog hides from screen readers.
  return createPortal(<Toaster />, document.body)
}

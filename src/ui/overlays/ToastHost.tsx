import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { type Loadable, loadable } from '../hooks/useLoaded.ts'
import { whenToasterIsWanted } from './toast.ts'

const code: Loadable<typeof import('./Toaster.tsx')> = loadable(() => import('./Toaster.tsx'))

/** Comes early: a message that the connection was lost must not need it. */
export const prepareToaster = code.prepare

/** Stands once at the root. Where the toaster does not come, its messages wait for the next one, or for the connection. */
export function ToastHost() {
  const [loaded, setLoaded] = useState(code.known)
  useEffect(() => {
    const load = () => void code.load().then(setLoaded, () => window.addEventListener('online', load, { once: true }))
    return whenToasterIsWanted(load)
  }, [])
  if (!loaded) return null
  const { default: Toaster } = loaded
  // Beside the page, all of which a dialog that is open hides from a screen reader.
  return createPortal(<Toaster />, document.body)
}

import { lazy, Suspense, useEffect, useState } from 'react'
import { whenToasterIsWanted } from './toast.ts'

const Toaster = lazy(() => import('./Toaster.tsx'))

/** Stands once at the root. */
export function ToastHost() {
  const [wanted, setWanted] = useState(false)
  useEffect(() => whenToasterIsWanted(() => setWanted(true)), [])
  if (!wanted) return null
  return (
    <Suspense>
      <Toaster />
    </Suspense>
  )
}

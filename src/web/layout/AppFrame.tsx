import { useEffect, type ReactNode } from 'react'
import { useSession } from '../session.ts'
import { setBrandHue } from '../theme.ts'
import { showKeptToast } from '../ui/toast.ts'
import { ToastHost } from '../ui/ToastHost.tsx'
import { Loading } from './Loading.tsx'
import { PageBoundary } from './PageBoundary.tsx'

/** Around everything: the practice's colour, and the place for messages. */
export function AppFrame({ children }: { children: ReactNode }) {
  const { session } = useSession()
  const hue = session?.practice.brandHue

  useEffect(() => {
    if (hue !== undefined) setBrandHue(hue)
  }, [hue])
  useEffect(showKeptToast, [])

  return (
    <>
      <PageBoundary fallback={<Loading />}>{children}</PageBoundary>
      <ToastHost />
    </>
  )
}

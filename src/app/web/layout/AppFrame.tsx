import { useEffect, type ReactNode } from 'react'
import { useSession } from '../../../ui/client/session.ts'
import { setBrandHue } from '../../../ui/client/theme.ts'
import { showKeptToast } from '../../../ui/overlays/toast.ts'
import { ToastHost } from '../../../ui/overlays/ToastHost.tsx'
import { Loading } from '../../../ui/layout/Loading.tsx'
import { PageBoundary } from '../../../ui/layout/PageBoundary.tsx'

interface AppFrameProps {
  /** Called before a full page load, which shows the saved message. */
  leaving?: boolean
  children: ReactNode
}

/** Wraps everything: the practice's colour, and the container for toasts. */
export function AppFrame({ leaving = false, children }: AppFrameProps) {
  const { session } = useSession()
  const hue = session?.practice.brandHue

  useEffect(() => {
    if (hue !== undefined) setBrandHue(hue)
  }, [hue])
  useEffect(() => {
    if (!leaving) showKeptToast()
  }, [leaving])

  return (
    <>
      <PageBoundary fallback={<Loading />}>{children}</PageBoundary>
      <ToastHost />
    </>
  )
}

import { useEffect, type ReactNode } from 'react'
import { useSession } from '../../../ui/client/session.ts'
import { setBrandHue } from '../../../ui/client/theme.ts'
import { showKeptToast } from '../../../ui/overlays/toast.ts'
import { ToastHost } from '../../../ui/overlays/ToastHost.tsx'
import { Loading } from '../../../ui/layout/Loading.tsx'
import { PageBoundary } from '../../../ui/layout/PageBoundary.tsx'

interface AppFrameProps {
  /** This page is about to be left for another, which shows the message that was kept. */
  leaving?: boolean
  children: ReactNode
}

/** Around everything: the practice's colour, and the place for messages. */
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

import { useEffect, type ReactNode } from 'react'
import { usePractice } from '../client/session.ts'
import { DemoBanner } from './DemoBanner.tsx'

interface PublicPageProps {
  /** Title of the browser tab. */
  title: string
  children: ReactNode
}

/** Layout for signed-out users: one centred column. */
export function PublicPage({ title, children }: PublicPageProps) {
  const { name, demo } = usePractice()
  useEffect(() => {
    document.title = `${title} · ${name}`
  }, [title, name])
  return (
    <div className="flex min-h-dvh flex-col bg-canvas">
      {demo && <DemoBanner />}
      <main className="mx-auto flex w-full max-w-104 flex-1 flex-col px-4 py-10 md:py-16">{children}</main>
    </div>
  )
}

import type { ReactNode } from 'react'
import { Mark } from '../../../ui/layout/Mark.tsx'
import { PublicPage } from '../../../ui/layout/PublicPage.tsx'
import { usePractice } from '../../../ui/client/session.ts'

interface AuthFrameProps {
  /** Heading of the card and title of the browser tab. */
  title: string
  /** Directly below the heading. */
  lead?: ReactNode
  /** Extends to the card's edges, for tabs. */
  flush?: boolean
  footer?: ReactNode
  children: ReactNode
}

/** The product's name above one card: the frame of every sign-in screen. */
export function AuthFrame({ title, lead, flush, footer, children }: AuthFrameProps) {
  const practice = usePractice()
  return (
    <PublicPage title={title}>
      <div className="flex flex-col gap-6 md:pt-[7dvh]">
        <header className="flex flex-col items-center gap-3 text-center">
          <Mark className="size-10 [&_svg]:size-6" logo="max-h-14 max-w-60" />
          <div>
            <h1 className="text-2xl font-semibold">Refyne</h1>
            <p className="text-md text-fg-2">CRM and Patient Management System</p>
          </div>
        </header>
        <section aria-label={title} className="rounded-lg border border-line bg-surface">
          <div className="px-4 pt-5 md:px-6">
            <h2 className="text-lg font-semibold">{title}</h2>
            {lead && <p className="pt-1 text-md text-fg-2">{lead}</p>}
          </div>
          <div className={flush ? 'pt-1' : 'px-4 pt-4 pb-6 md:px-6'}>{children}</div>
        </section>
        {footer && <p className="text-center text-sm text-fg-2">{footer}</p>}
        {practice.name !== 'Refyne' && (
          <p className="text-center text-xs text-fg-3">{[practice.name, practice.subtitle].filter(Boolean).join(', ')}</p>
        )}
      </div>
    </PublicPage>
  )
}

/** A text link on the sign-in screens. */
export const inlineLink = 'relative rounded-xs font-medium text-accent-fg touch-target hover:underline underline-offset-4'
